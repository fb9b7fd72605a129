"""What kind of fault a wrong draft has, by the codes of the taxonomy, assigned mechanically.

A draft that does not run has the code of the guard's fault. One that runs is compared with the
gold part by part: it says where the two differ, which is the likeliest reason, no proof. A query
can be written in several ways, so one difference may have several codes, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from groundwire.bench.case import Case
from groundwire.bench.report.features import Features, features
from groundwire.bench.report.turns import are_reversed
from groundwire.bench.runs.record import Record

__all__ = ["OTHER", "categories"]

OTHER = "other"
"""No part differs that is looked at, or a query cannot be read."""


def categories(record: Record, case: Case) -> tuple[str, ...]:
    """The codes of a draft that is not right, in the order of the taxonomy; `(OTHER,)` if none.

    Of several golds that one counts which differs least.
    """
    faults = [finding["code"] for finding in record.findings if finding["severity"] == "fault"]
    if not record.draft_scores.get("executable"):
        return tuple(dict.fromkeys(faults)) or _of_error(record)
    draft = features(record.draft, case.language, record.dialect)
    golds = [features(query, case.language, record.dialect) for query in case.queries]
    found = [differences(draft, gold) for gold in golds if gold is not None and draft is not None]
    return min(found, key=len, default=()) or (OTHER,)


def _of_error(record: Record) -> tuple[str, ...]:
    from groundwire.guard.taxonomy import TAXONOMY

    code = (record.error or {}).get("code", "")
    return (code,) if code in TAXONOMY else (OTHER,)


def differences(draft: Features, gold: Features) -> tuple[str, ...]:
    """The codes of the parts in which a draft differs from a gold."""
    return tuple(code for code, differs in _DIFFERENCES if differs(draft, gold))


def _reversed(draft: Features, gold: Features) -> bool:
    return draft.steps == gold.steps and are_reversed(draft.turns, gold.turns)


def _other_value(draft: Features, gold: Features) -> bool:
    missing, extra = gold.constants - draft.constants, draft.constants - gold.constants
    return bool(missing) and missing.total() == extra.total()


def _other_steps(draft: Features, gold: Features) -> bool:
    return draft.sources != gold.sources or draft.steps != gold.steps


def _rows_for_entities(draft: Features, gold: Features) -> bool:
    return draft.aggregates != gold.aggregates and _plain(draft) == _plain(gold)


def _other_aggregate(draft: Features, gold: Features) -> bool:
    return _plain(draft) != _plain(gold)


def _boundary(draft: Features, gold: Features) -> bool:
    is_as_many = draft.operators.total() == gold.operators.total()
    return is_as_many and draft.operators != gold.operators


def _unprompted(draft: Features, gold: Features) -> bool:
    has_more = draft.distinct > gold.distinct or draft.order.total() > gold.order.total()
    return has_more or draft.limit.total() > gold.limit.total()


def _superlative(draft: Features, gold: Features) -> bool:
    if draft.order.total() < gold.order.total() or draft.limit.total() < gold.limit.total():
        return True
    turned = draft.order != gold.order and draft.order.total() == gold.order.total()
    return turned or (draft.limit != gold.limit and draft.limit.total() == gold.limit.total())


def _plain(found: Features) -> Counter[str]:
    """The aggregates without their DISTINCT."""
    names: Counter[str] = Counter()
    for name, count in found.aggregates.items():
        names[name.removesuffix(" distinct")] += count
    return names


_DIFFERENCES: tuple[tuple[str, Callable[[Features, Features], bool]], ...] = (
    ("DIR1", _reversed),
    ("ENT1", _other_value),
    ("ENT2", lambda draft, gold: _as_many(draft, gold) and draft.tested != gold.tested),
    ("PAT2", _other_steps),
    ("PAT4", lambda draft, gold: draft.outer != gold.outer),
    ("AGG2", _rows_for_entities),
    ("AGG3", lambda draft, gold: draft.grouping != gold.grouping),
    ("AGG4", _other_aggregate),
    ("FIL1", lambda draft, gold: draft.operators.total() < gold.operators.total()),
    ("FIL2", lambda draft, gold: draft.operators.total() > gold.operators.total()),
    ("FIL3", _boundary),
    ("RET1", lambda draft, gold: draft.width != gold.width),
    ("RET2", _unprompted),
    ("RET3", _superlative),
    ("RET4", lambda draft, gold: draft.distinct < gold.distinct),
)


def _as_many(draft: Features, gold: Features) -> bool:
    return draft.tested.total() == gold.tested.total()
