"""From a model's reply to exactly one statement.

Only the text is found here; whether it is a query, and a safe one, is decided by the parser and the
guard. A write is extracted like any other statement, so that it can be refused by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from groundwire.errors import DraftError, NotUnderstood

__all__ = ["INVALID_REQUEST", "extract_statement", "final_answer"]

Language = Literal["sql", "cypher"]

INVALID_REQUEST = "INVALID_REQUEST"
"""What a model answers when the database cannot answer the question."""

_MARKER = re.compile(r"\bINVALID[_ ]REQUEST\b")
_REASON_LENGTH = 300


def extract_statement(reply: str, language: Language) -> str:
    """The one statement in a reply, without fences, prose, thoughts and the final `;`.

    The same statement written twice counts as one.

    Raises:
        NotUnderstood: the reply is INVALID_REQUEST; the message quotes the model's reason.
        DraftError: there is no statement, or there are different ones.
    """
    text = final_answer(reply)
    fields = _read_json(text)
    if fields is not None:
        text = _query_field(fields)
    _decline_if_told(text)
    found = list(_statements(text, language))
    found = [_without_markdown_escapes(statement, language) for statement in found]
    different = {" ".join(statement.split()): statement for statement in found}
    if not different:
        _decline_if_told(text, anywhere=True)
        raise DraftError(
            "The model's reply holds no query."
            if text.strip()
            else "The model's reply holds no query: it is empty."
        )
    if len(different) > 1:
        raise DraftError(
            f"The model's reply holds {len(different)} different statements; one was asked for.",
            code="SEVERAL_STATEMENTS",
        )
    return next(iter(different.values()))


# --- the answer inside the reply -------------------------------------------------------------

_CONTROL = r"(?:<\|[\w/ ]{1,30}\|>|</?s>|<eos>|<end_of_turn>|\[/?(?:INST|SQL)\])"
_CONTROL_ENDS = re.compile(rf"^(?:\s*{_CONTROL})+|(?:{_CONTROL}\s*)+$")
_THOUGHT = "think|thinking|thought|thoughts|reasoning|analysis"
_LEADING_THOUGHT = re.compile(rf"\s*<({_THOUGHT})>(?:.*?</\1>|.*\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(rf"</(?:{_THOUGHT})>", re.IGNORECASE)


def final_answer(reply: str) -> str:
    """A reply without the thoughts before it and a chat template's control tokens around it."""
    text = _CONTROL_ENDS.sub("", reply.replace("\r\n", "\n").lstrip("\ufeff")).strip()
    while match := _LEADING_THOUGHT.match(text):
        text = text[match.end() :]
    # Some servers swallow the opening tag.
    end = _THOUGHT_END.search(text)
    if end and not any(_begins(text, language) for language in ("sql", "cypher")):
        text = text[end.end() :]
    return text.strip()


def _read_json(text: str) -> dict[str, Any] | None:
    """The object that a reply consists of, fenced or not."""
    body = text
    if fenced := re.fullmatch(r"(?:`{3,}|~{3,})(?:json)?\s*(\{.*\})\s*(?:`{3,}|~{3,})", text, re.S):
        body = fenced[1]
    if not body.startswith("{"):
        return None
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


_QUERY_KEYS = (
    "query",
    "sql",
    "cypher",
    "statement",
    "sql_query",
    "cypher_query",
    "corrected_query",
)
_REASON_KEYS = ("reason", "invalid_request", "error", "message", "explanation")


def _query_field(fields: dict[str, Any]) -> str:
    """The query in an object, or the marker with the reason that stands beside it."""
    lowered = {str(key).lower(): value for key, value in fields.items()}
    query = next((lowered[key] for key in _QUERY_KEYS if isinstance(lowered.get(key), str)), "")
    reason = next((lowered[key] for key in _REASON_KEYS if isinstance(lowered.get(key), str)), "")
    told = _MARKER.search(f"{query} {reason}") or "invalid_request" in lowered
    if told and (not query or _MARKER.fullmatch(query.strip())):
        return f"{INVALID_REQUEST}: {_MARKER.sub('', reason)}"
    return str(query)


_WRAPPING = " \t\n`~\"'*_#>“”"
_MARKER_QUERY = re.compile(
    r"\s*(?:SELECT|RETURN)\s+'(INVALID[_ ]REQUEST[^']*)'(?:\s+(?:AS\s+)?[\w\"`]+)?\s*;?\s*",
    re.IGNORECASE,
)
_FENCE_TAG = re.compile(r"^\s*(?:`{3,}|~{3,})\w*\s*")
_LABEL = re.compile(r"^[*_# ]*(?:[A-Za-z]+[ _]?){1,3}[*_]*:[*_]*\s*")


def _decline_if_told(text: str, *, anywhere: bool = False) -> None:
    """Raise NotUnderstood when the marker is the answer."""
    body = _FENCE_TAG.sub("", text)
    if query := _MARKER_QUERY.fullmatch(body.strip("`~ \n")):
        body = query[1]
    body = body.strip(_WRAPPING)
    match = _MARKER.search(body)
    label = _LABEL.match(body)
    first = match and (match.start() == 0 or (label and match.start() == label.end()))
    if match is None or not (anywhere or first):
        return
    reason = body[match.end() :].strip(_WRAPPING + ":.-–—()[]")
    reason = reason or body[: match.start()].strip(_WRAPPING + ":.-–—()[]")
    reason = " ".join(reason.split())
    if len(reason) > _REASON_LENGTH:
        reason = reason[:_REASON_LENGTH] + "…"
    said = f': "{reason}"' if reason else "."
    raise NotUnderstood(
        f"The model says that this database cannot answer the question{said}",
        hint="Ask about what the database holds.",
        code="INVALID_REQUEST",
    )


# --- where statements begin ------------------------------------------------------------------

_OBJECT = r"(?:TEMP\w*\s+|UNIQUE\s+|MATERIALIZED\s+|OR\s+REPLACE\s+)*"
_KIND = (
    r"(?:TABLE|VIEW|INDEX|SCHEMA|DATABASE|FUNCTION|PROCEDURE|USER|ROLE|SEQUENCE|TYPE|TRIGGER|"
    r"EXTENSION|MACRO|CONSTRAINT|FULLTEXT|VECTOR|LOOKUP|RANGE|POINT|TEXT)\b"
)
_WORD = r"(?!(?:FROM|AS|INTO|WHERE|UNION|ORDER|LIMIT|CASE|END)\b)[A-Za-z]+\b(?!\s*(?:[.(,]|::))"
_PROSE_AFTER_VERB = (
    rf"(?!(?:the|an?|is|are|your|this|these|that|every|each|one|clause|statement|query)\s+{_WORD})"
)
_BEGINNINGS: dict[Language, str] = {
    "sql": (
        rf"(?:\(\s*)*SELECT\b(?!\s*[:.])\s*{_PROSE_AFTER_VERB}|"
        r"WITH\s+(?:RECURSIVE\s+)?[^\s(]+\s*(?:\([^)]*\)\s*)?AS\s*(?:NOT\s+)?(?:MATERIALIZED\s*)?\(|"
        r"VALUES\s*\(|TABLE\s+\S+\s*;?\s*$|EXPLAIN\s+(?:ANALYZE|VERBOSE|SELECT|WITH|\()|"
        r"SHOW\s+\w+\s*;?\s*$|PRAGMA\s+\w|DESCRIBE\s+\S+\s*;?\s*$|"
        r"INSERT\s+(?:OR\s+\w+\s+)?INTO\b|REPLACE\s+INTO\b|MERGE\s+INTO\b|UPDATE\s+\S+\s+(?:AS\s+)?"
        r"(?:\w+\s+)?SET\b|DELETE\s+FROM\b|TRUNCATE\s+(?:TABLE\s+)?\S+|"
        rf"(?:DROP|CREATE|ALTER)\s+{_OBJECT}{_KIND}|(?:GRANT|REVOKE)\s.+\s(?:TO|FROM)\b|"
        r"COPY\s.+\s(?:FROM|TO)\b|CALL\s+[\w.]+\s*\(|EXEC(?:UTE)?\s+\w|DO\s+\$|"
        r"SET\s+(?:\w+\s+)*[\w.]+\s*(?:=|TO\b)|(?:BEGIN|COMMIT|ROLLBACK)\b\s*(?:TRANSACTION)?\s*(?:;|$)|"
        r"(?:ATTACH|DETACH)\s+(?:DATABASE\s+)?['\"\w]|(?:LOAD|INSTALL)\s+['\w]+\s*;?\s*$|VACUUM\b"
    ),
    "cypher": (
        r"(?:OPTIONAL\s+)?MATCH\s*[\w\s`=]*\(|UNWIND\s.+?\sAS\b|CALL\s*(?:\(|\{|[\w.`]+\s*[({;]?)|"
        rf"WITH\s+{_PROSE_AFTER_VERB}[^,.]*?\sAS\b|WITH\s+\*|RETURN\b\s*{_PROSE_AFTER_VERB}|"
        r"(?:CREATE|MERGE)\s*[\w\s`=]*\(|"
        rf"(?:DROP|CREATE|ALTER)\s+{_OBJECT}{_KIND}|LOAD\s+CSV\b|(?:DETACH\s+)?DELETE\s+\w|"
        r"(?:SET|REMOVE)\s+\w+[.:]|FOREACH\s*\(|(?:EXPLAIN|PROFILE)\s+\w|USE\s+\w|CYPHER\s+\w|"
        r"SHOW\s+\w+|\{"
    ),
}
_BEGIN = {
    language: re.compile(rf"(?:{pattern})", re.IGNORECASE | re.MULTILINE)
    for language, pattern in _BEGINNINGS.items()
}
_VERBS = {
    "sql": r"SELECT|WITH|VALUES|INSERT|UPDATE|DELETE|MERGE|DROP|CREATE|ALTER|TRUNCATE|GRANT|REVOKE|"
    r"COPY|CALL|EXECUTE|SET|BEGIN|COMMIT|ROLLBACK|ATTACH|DETACH|PRAGMA|VACUUM|EXPLAIN|SHOW|DO",
    "cypher": r"MATCH|OPTIONAL|WITH|UNWIND|RETURN|CALL|CREATE|MERGE|DELETE|DETACH|SET|REMOVE|"
    r"LOAD|FOREACH|EXPLAIN|PROFILE|DROP|SHOW|USE",
}
_VERB = {language: re.compile(rf"(?:{verbs})\b", re.I) for language, verbs in _VERBS.items()}
_COMMENTS = re.compile(r"(?:\s+|--[^\n]*(?:\n|\Z)|//[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)


def _begins(text: str, language: str, at: int = 0) -> bool:
    """Whether a statement begins at a place, comments before it allowed."""
    skipped = _COMMENTS.match(text, at)
    assert skipped is not None
    return _BEGIN[language].match(text, skipped.end()) is not None  # type: ignore[index]


def _statements(text: str, language: Language) -> Iterator[str]:
    blocks = list(_blocks(text, language))
    if blocks:
        for block in blocks:
            yield from _parts(block, language)
        return
    yield from _in_prose(text, language)


# --- fences ----------------------------------------------------------------------------------

_FENCE = re.compile(
    r"(?P<fence>`{3,}|^[ \t]*~{3,})[ \t]*(?P<body>.*?)(?P<end>(?P=fence)|\Z)"
    r"|<(?P<tag>sql|cypher|query|answer)>(?P<inner>.*?)</(?P=tag)>",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_QUERY_TAGS = (
    r"(?:sql|postgresql|postgres|psql|pgsql|plpgsql|duckdb|sqlite3?|mysql|tsql|plsql|spark-?sql|"
    r"cypher|cql|opencypher|neo4j|query)"
)
_TAG = re.compile(rf"{_QUERY_TAGS}(?=\s|$)|[A-Za-z][\w+#-]*[ \t]*(?=\n)", re.IGNORECASE)
_IS_QUERY_TAG = re.compile(_QUERY_TAGS, re.IGNORECASE)


def _blocks(text: str, language: Language) -> Iterator[str]:
    """The bodies of fences that hold queries: those tagged so, else those that look so."""
    tagged, likely = [], []
    for match in _FENCE.finditer(text):
        if match["inner"] is not None:
            tagged.append(match["inner"].strip())
            continue
        body, tag = match["body"], ""
        found = _TAG.match(body)
        if found and not _VERB[language].fullmatch(found[0].strip()):
            tag, body = found[0].strip(), body[found.end() :]
        body = body.strip()
        if not match["end"]:  # never closed: what explains the query stands inside
            body = next(_in_prose(body, language), body)
        fields = _read_json(body)
        if fields is not None:
            body = _query_field(fields)
        if _IS_QUERY_TAG.fullmatch(tag) and body:
            tagged.append(body)
        elif _begins(body, language):
            likely.append(body)
    yield from tagged or likely


def _parts(block: str, language: Language) -> Iterator[str]:
    """The statements of a block that is known to hold nothing else."""
    start = 0
    masked = _mask(block, language)
    for end in [match.start() for match in re.finditer(";", masked)] + [len(block)]:
        part = block[start:end]
        if not _COMMENTS.fullmatch(part):
            yield part.strip()
        start = end + 1


# --- prose -----------------------------------------------------------------------------------

_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_AFTER_LABEL = re.compile(r"[:.!?][*_`\"]*[ \t]+")
_MARKUP = re.compile(r"[ \t]*(?:>[ \t]*)?(?:[\"“`*]{0,3})")
_UPPER_VERB = {language: re.compile(rf"\b(?:{verbs})\b") for language, verbs in _VERBS.items()}


def _in_prose(text: str, language: Language) -> Iterator[str]:
    """The statements of a text that may explain them before, between and after."""
    at, found = 0, False
    while (start := _next_start(text, at, language)) is not None:
        end = _end(text, start, language)
        found = True
        yield _unwrapped(text, start, end)
        at = end
        if text[end : end + 1] == ";":
            at = end + 1
            rest = _COMMENTS.match(text, at)
            assert rest is not None
            after = text[rest.end() :]
            goes_on = _VERB[language].match(after) or re.match(_CLAUSE, after, re.IGNORECASE)
            if goes_on and not _is_sentence(after.partition("\n")[0]):
                yield after.strip()  # a second statement, or the rest of one cut by a stray `;`
                return
    if not found:
        yield from _hidden(text, language)


def _next_start(text: str, at: int, language: Language) -> int | None:
    """Where the next statement begins: at the start of a line, or after a label in it."""
    for line in re.compile(r"^.*$", re.MULTILINE).finditer(text, at):
        markup = _MARKUP.match(line[0])
        assert markup is not None
        places = [line.start() + markup.end()]
        places += [line.start() + label.end() for label in _AFTER_LABEL.finditer(line[0])][:3]
        for place in places:
            begins = _BEGIN[language].match(text, place)
            if begins and not _is_sentence(text[place : line.end()]):
                return place
            commented = begins is None and text.startswith(("--", "//", "/*"), place)
            if commented and _begins(text, language, place):
                return place
    return None


def _hidden(text: str, language: Language) -> Iterator[str]:
    """Statements in inline code, else from the first verb in capitals, else from a verb alone."""
    inline = [code for code in _INLINE.findall(text) if _begins(code, language)]
    if inline:
        for code in inline:
            yield from _parts(code, language)
        return
    for verb in _UPPER_VERB[language].finditer(text):
        if _BEGIN[language].match(text, verb.start()):
            yield _unwrapped(text, verb.start(), _end(text, verb.start(), language))
            return
    if _VERB[language].match(text) and not _is_sentence(text.partition("\n")[0]):
        yield from _parts(text, language)


_CLAUSE = (
    r"(?:FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|OFFSET|SKIP|FETCH|UNION|INTERSECT|EXCEPT|JOIN|INNER|LEFT|"
    r"RIGHT|FULL|CROSS|NATURAL|LATERAL|ON|USING|AND|OR|NOT|CASE|WHEN|THEN|ELSE|END|SELECT|WINDOW|"
    r"QUALIFY|AS|MATCH|OPTIONAL|WITH|UNWIND|RETURN|CALL|VALUES|SET|YIELD)(?!\w)"
)
_CONTINUES = re.compile(rf"[(),|&]|--|/\*|//|{_CLAUSE}", re.IGNORECASE)
_STARTERS = re.compile(
    r"(?:This|The|These|That|Here|Note|Explanation|It|In|I|We|You|Let|Please|Hope|If|To|For|Since|"
    r"Because|Assuming|However|Finally|First|Then|Or|Alternatively|Each|Your)\b"
)
_MARKDOWN = re.compile(
    r"#{1,6}\s|\*\*|\d+[.)]\s|```|~~~|---+$|</|"
    r"[-*•]\s+(?:`|\*\*|[A-Z][a-z]|\w+:\s|\w+\s+(?:is|are|means|counts|gives|returns|joins)\b)"
)
_LABELLED = re.compile(r"[A-Z][\w ]{0,30}:(?:\s|$)")


def _end(text: str, start: int, language: Language) -> int:
    """Where a statement ends: at its `;`, or where the explanation behind it begins."""
    masked = _mask(text[start:], language)
    semicolon = masked.find(";")
    limit = len(text) if semicolon < 0 else start + semicolon
    depth = blank = 0
    position = start
    for line in text[start:limit].splitlines(keepends=True):
        inside = masked[position - start - 1] == "\0" if position > start else False
        content = line.strip()
        if position > start and not inside and content:
            if _is_sentence(content) or _MARKDOWN.match(content):
                return position
            if depth <= 0 and _LABELLED.match(content):
                return position
            if blank and depth <= 0 and not _CONTINUES.match(content):
                return position
        blank = 0 if content else blank + 1
        covered = masked[position - start : position - start + len(line)]
        depth += sum((c in "([{") - (c in ")]}") for c in covered)
        position += len(line)
    return limit


def _is_sentence(line: str) -> bool:
    """A line of prose: begins like one, and ends like one or has the words of one."""
    line = line.strip()
    words = line.split()
    if len(words) < 3 or not re.match(r"[A-Z][a-z]*['’,]?\w*,?$", words[0]):
        return False
    if re.search(r"[=<>;]|\w\(|\*", line):
        return False
    return line[-1] in ".:!?" or bool(_STARTERS.match(line))


def _unwrapped(text: str, start: int, end: int) -> str:
    """The statement between two places, without the quote or mark-up that opened before it."""
    statement = text[start:end].strip()
    before = text[:start].rstrip("*")[-1:]
    if text[:start].endswith("**"):
        statement = statement.removesuffix("**")
    closing = {'"': '"', "`": "`", "“": "”"}.get(before)
    if closing and closing in statement:
        statement = statement.rstrip(" .").removesuffix(closing)
    return statement.strip().removesuffix(";").strip()


def _without_markdown_escapes(statement: str, language: Language) -> str:
    r"""`COUNT(\*)` and `first\_name` as models write them for Markdown; quoted parts stay."""
    masked = _mask(statement, language)
    escapes = {match.start() for match in re.finditer(r"\\[*_]", masked)}
    return "".join(letter for at, letter in enumerate(statement) if at not in escapes)


# --- quotes and comments ---------------------------------------------------------------------

# A quote that is never closed, or only beyond an empty line, is taken for an apostrophe.
_CHAR = r"\n(?!\s*\n)"
_QUOTED: dict[Language, re.Pattern[str]] = {
    "sql": re.compile(
        rf"(?<![A-Za-z0-9_])[eE]'(?:[^'\\\n]|''|\\.|{_CHAR})*'|'(?:[^'\n]|''|{_CHAR})*'|"
        rf'"(?:[^"\n]|""|{_CHAR})*"|`[^`\n]*`|(?P<dollar>\$(?:[A-Za-z_]\w*)?\$).*?(?P=dollar)|'
        r"--[^\n]*|/\*.*?(?:\*/|\Z)",
        re.DOTALL,
    ),
    "cypher": re.compile(
        rf"'(?:[^'\\\n]|\\.|{_CHAR})*'|\"(?:[^\"\\\n]|\\.|{_CHAR})*\"|`(?:[^`\n]|``)*`|"
        r"//[^\n]*|/\*.*?(?:\*/|\Z)",
        re.DOTALL,
    ),
}


def _mask(text: str, language: Language) -> str:
    """The text with every character of a quoted part or a comment as NUL; places stay the same."""
    return _QUOTED[language].sub(lambda match: "\0" * len(match[0]), text)
