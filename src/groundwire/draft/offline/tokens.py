"""A question as tokens: words folded, numbers read, quoted text kept whole, spans kept."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from groundwire.draft.inflect import fold, singular

__all__ = ["Token", "is_latin", "tokenize"]

_CONTRACTIONS = {
    "what's": "what is",
    "who's": "who is",
    "where's": "where is",
    "when's": "when is",
    "how's": "how is",
    "that's": "that is",
    "there's": "there is",
    "didn't": "did not",
    "don't": "do not",
    "doesn't": "does not",
    "wasn't": "was not",
    "weren't": "were not",
    "isn't": "is not",
    "aren't": "are not",
    "hasn't": "has not",
    "haven't": "have not",
    "i'd": "i would",
    "we've": "we have",
    "whats": "what is",
    "cannot": "can not",
}
_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "dozen": 12,
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SUFFIXES = {"k": 1_000, "m": 1_000_000, "bn": 1_000_000_000}

_TOKEN = re.compile(
    r"""
    (?P<quoted>"[^"]+"|“[^”]+”|`[^`]+`|(?<![^\s(,])'[^']*(?:'(?=\w)[^']*)*'(?!\w)|‘[^’]+’(?!\w))
  | (?P<date>\d{4}-\d{1,2}-\d{1,2}(?!\d)|\d{1,2}/\d{1,2}/\d{4}(?!\d))
  | (?P<dash>(?<=\d)\s?[-–—]\s?(?=\d))
  | (?P<clock>\d{1,2}:\d{2}(?::\d{2})?(?!\d))
  | (?P<number>(?:(?<![\w)-])-)?\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])
      |(?:(?<![\w)-])-)?\$?\d+(?:\.\d+)?(?![\w.]*\w))
  | (?P<scaled>\$?\d+(?:\.\d+)?(?:k|m|bn)\b)
  | (?P<sign><=|>=|<>|!=|[<>=%,;()+/&])
  | (?P<word>[^\W_]+(?:['’][^\W_]+)*|\w+)
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, sign or quoted text.

    `start` and `end` are characters of the question. `word` is folded, `stem` also singular.
    `number` is the value of a number written in digits or words. `quoted` text is one token
    whose `text` is without its quotes. `glued` is true when no space stands before the token.
    """

    text: str
    start: int
    end: int
    word: str
    stem: str
    number: int | float | None = None
    quoted: bool = False
    glued: bool = False


def is_latin(question: str) -> bool:
    """Whether most letters of the text are Latin ones."""
    letters = [c for c in question if c.isalpha()]
    latin = sum("LATIN" in unicodedata.name(c, "") for c in letters)
    return bool(letters) and latin * 2 > len(letters)


def tokenize(question: str) -> tuple[Token, ...]:
    """Split a question into tokens; sentence ends are dropped, commas are kept."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(question):
        tokens.extend(_tokens_of(match, question))
    return tuple(_join_number_words(tokens))


def _tokens_of(match: re.Match[str], question: str) -> list[Token]:
    text, start, end = match.group(), match.start(), match.end()
    glued = start > 0 and not question[start - 1].isspace()
    kind = match.lastgroup
    if kind == "quoted":
        inner = text[1:-1].strip()
        return [Token(inner, start, end, fold(inner), _stem(inner), quoted=True)]
    if kind == "number":
        return [_number(text, re.sub("[$,]", "", text), start, end, glued, 1)]
    if kind == "scaled":
        digits = text.strip("$").rstrip("kmbnKMBN")
        scale = _SUFFIXES[text.strip("$")[len(digits) :].lower()]
        return [_number(text, digits, start, end, glued, scale)]
    if kind == "dash":
        return [Token(text, start, end, "-", "-")]
    if kind in {"sign", "date", "clock"}:
        word = "and" if text == "&" else text
        return [Token(text, start, end, word, word, glued=glued)]
    return _words(text, start, end, glued)


def _number(text: str, digits: str, start: int, end: int, glued: bool, scale: int) -> Token:
    value = float(digits) * scale
    number: int | float = int(value) if value.is_integer() and "." not in digits else value
    if scale > 1 and value.is_integer():
        number = int(value)
    return Token(text, start, end, text, text, number=number, glued=glued)


def _words(text: str, start: int, end: int, glued: bool) -> list[Token]:
    plain = text.replace("’", "'")
    expanded = _CONTRACTIONS.get(plain.lower())
    if expanded is not None:
        parts = expanded.split()
        return [Token(p, start, end, p, singular(p), glued=i > 0) for i, p in enumerate(parts)]
    if plain.lower().endswith("'s") and len(plain) > 2:
        owner = text[:-2]
        return [
            Token(owner, start, end - 2, fold(owner), singular(fold(owner)), glued=glued),
            Token("'s", end - 2, end, "'s", "'s", glued=True),
        ]
    word = fold(text)
    return [Token(text, start, end, word, singular(word), number=_UNITS.get(word), glued=glued)]


def _stem(text: str) -> str:
    return " ".join(singular(word) for word in fold(text).split())


def _join_number_words(tokens: list[Token]) -> list[Token]:
    """`two hundred thousand`, `twenty five`, `1.5 million`, `a hundred` become one number."""
    joined: list[Token] = []
    index = 0
    while index < len(tokens):
        end, value = _number_at(tokens, index)
        if end - index > 1 and value is not None:
            first, last = tokens[index], tokens[end - 1]
            text = " ".join(t.text for t in tokens[index:end])
            joined.append(
                Token(
                    text, first.start, last.end, fold(text), fold(text), value, False, first.glued
                )
            )
            index = end
        else:
            joined.append(tokens[index])
            index += 1
    return joined


def _number_at(tokens: list[Token], index: int) -> tuple[int, int | float | None]:
    total: int | float = 0
    current: int | float | None = None
    position = index
    if tokens[index].word == "a" and _word(tokens, index + 1) in _SCALES:
        current, position = 1, index + 1
    while position < len(tokens):
        token = tokens[position]
        if token.word in _SCALES and (current is not None or total):
            scale = _SCALES[token.word]
            current = (current or 1) * scale
            if scale >= 1_000:
                total, current = total + current, None
        elif token.number is not None and not token.quoted and _follows(current, token):
            current = (current or 0) + token.number
        else:
            break
        position += 1
    if position == index:
        return index, None
    return position, total + (current or 0)


def _follows(current: int | float | None, token: Token) -> bool:
    """`twenty` may take `five`, `two hundred` may take `fifty`; `3` and `4` stay apart."""
    if current is None:
        return True
    number = token.number
    if token.word not in _UNITS or number is None:
        return False
    return (current % 100 == 0 and current > 0) or (
        20 <= current < 100 and current % 10 == 0 and number < 10
    )


def _word(tokens: list[Token], index: int) -> str:
    return tokens[index].word if index < len(tokens) else ""
