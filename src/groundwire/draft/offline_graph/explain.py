"""A plan in words: how the question was read and what was taken for granted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundwire.draft.offline_graph.plan import Entity, Filter, Hop, Plan, entities_in

__all__ = ["assumptions", "loops_back", "understood"]


def understood(plan: Plan) -> tuple[str, ...]:
    """How the question was read, one sentence a part."""
    what = {"count": "the number of", "list": "", "aggregate": f"the {plan.function} of"}[plan.form]
    shown = f"{', '.join(plan.outputs)} of " if plan.outputs else ""
    sentences = [" ".join(f"Asked for: {what} {shown}{_said(plan.entity)}.".split())]
    if plan.group is not None:
        by = plan.group.by
        sentences.append(f"For each {by if isinstance(by, str) else _hop(by)}.")
    if plan.rank is not None:
        way = "greatest" if plan.rank.descending else "least"
        measure = plan.rank.measure
        by_what = measure if isinstance(measure, str) else f"number of {_hop(measure)}"
        places = f"first {plan.rank.count} places" if plan.rank.count > 1 else "first place"
        sentences.append(f"Kept: the {places} with the {way} {by_what}, all ties included.")
    return tuple(sentences)


def assumptions(plan: Plan) -> tuple[str, ...]:
    """What was taken for granted, each said once."""
    said = [c.assumed for c in _conditions(plan)]
    if plan.group is not None:
        said.append(plan.group.assumed)
    if plan.rank is not None and isinstance(plan.rank.measure, Hop) and not plan.rank.descending:
        said.append("Those without any count as zero.")
    return tuple(dict.fromkeys(text for text in said if text))


def loops_back(entity: Entity, both_ways: Callable[[str], bool]) -> bool:
    """A relation goes to a thing and comes back by the same type: to the same one, or not?

    `both_ways` tells of a type whether each relationship has its reverse stored.
    """
    return any(_returns(entity, condition, both_ways) for condition in entity.conditions) or any(
        loops_back(c.other, both_ways) for c in entity.conditions if isinstance(c, Hop)
    )


def _returns(entity: Entity, condition: Filter | Hop, both_ways: Callable[[str], bool]) -> bool:
    if not isinstance(condition, Hop):
        return False
    return any(
        isinstance(back, Hop)
        and back.type == condition.type
        and (
            back.direction != condition.direction
            or back.direction == "both"
            or both_ways(back.type)
        )
        and back.other.label in ("", entity.label)
        for back in condition.other.conditions
    )


def _conditions(plan: Plan) -> Iterator[Filter | Hop]:
    starts = [plan.entity]
    for by in (plan.group.by if plan.group else None, plan.rank.measure if plan.rank else None):
        if isinstance(by, Hop):
            yield by
            starts.append(by.other)
    for start in starts:
        for entity in entities_in(start):
            yield from entity.conditions


def _said(entity: Entity) -> str:
    parts = [entity.label or "any node"]
    parts.extend(_hop(c) if isinstance(c, Hop) else _filter(c) for c in entity.conditions)
    return " and ".join(parts[:1] + [f"({part})" for part in parts[1:]])


def _hop(hop: Hop) -> str:
    arrow = {"out": "->", "in": "<-", "both": "-"}[hop.direction]
    none = "no " if hop.negated else ""
    times = f"{hop.times[0]} {hop.times[1]} " if hop.times else ""
    return f"{none}{times}{hop.type} {arrow} {_said(hop.other)}"


def _filter(condition: Filter) -> str:
    if condition.operator == "missing":
        return f"no {condition.property}"
    values = ", ".join(str(value) for value in condition.values)
    return f"{condition.property} {condition.operator} {values}"
