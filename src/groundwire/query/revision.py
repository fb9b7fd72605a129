"""A text that is repaired step by step, each step said in places of the original."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.query.edits import Edit, apply, in_order

__all__ = ["Piece", "Revision"]


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` stands where the characters `start:end` of the original stood.

    None = they still stand there.
    """

    start: int
    end: int
    text: str | None = None

    @property
    def length(self) -> int:
        """Characters in the text as it stands now."""
        return self.end - self.start if self.text is None else len(self.text)

    def cut(self, at: int) -> tuple[Piece, Piece]:
        """Two pieces of which the first has `at` characters."""
        if self.text is None:
            middle = self.start + at
            return Piece(self.start, middle), Piece(middle, self.end)
        return Piece(self.start, self.end, self.text[:at]), Piece(
            self.end, self.end, self.text[at:]
        )


@dataclass(frozen=True, slots=True)
class Revision:
    """A text that is edited again and again, with all edits said in places of the original.

    `pieces` stand in order and cover the whole original; `Revision.of(text)` begins with one.
    """

    original: str
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, text: str) -> Revision:
        """The text as it is."""
        return cls(text, (Piece(0, len(text)),))

    @property
    def text(self) -> str:
        """The text as it stands now."""
        return "".join(
            self.original[piece.start : piece.end] if piece.text is None else piece.text
            for piece in self.pieces
        )

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What makes the text from the original; none of them overlap."""
        edits: list[Edit] = []
        for piece in self.pieces:
            if piece.text is None:
                continue
            if edits and edits[-1].end == piece.start:
                last = edits.pop()
                edits.append(Edit(last.start, piece.end, last.text + piece.text))
            else:
                edits.append(Edit(piece.start, piece.end, piece.text))
        return tuple(edits)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of a place in the text.

        A place inside replaced text is the whole of what was replaced.
        """
        places: list[int] = []
        position = 0
        for piece in self.pieces:
            left, right = max(start, position), min(end, position + piece.length)
            if left < right or (left == right == start == end):
                if piece.text is None:
                    places += [piece.start + left - position, piece.start + right - position]
                else:
                    places += [piece.start, piece.end]
            position += piece.length
        return min(places), max(places)

    def revise(self, edits: Iterable[Edit]) -> Revision:
        """The revision with more edits; their spans refer to the text as it stands now.

        Raises:
            ValueError: two of the edits overlap, or a span lies outside the text.
        """
        later = in_order(edits)
        apply(self.text, later)
        pieces = self.pieces
        for edit in reversed(later):
            before, rest = _cut(pieces, edit.start)
            inside, after = _cut(rest, edit.end - edit.start)
            place = before[-1].end if before else 0
            first = inside[0].start if inside else place
            last = inside[-1].end if inside else place
            pieces = (*before, Piece(first, last, edit.text), *after)
        return Revision(self.original, pieces)


def _cut(pieces: tuple[Piece, ...], at: int) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The pieces of the first `at` characters, and the others."""
    for index, piece in enumerate(pieces):
        if at < piece.length:
            if at == 0:
                return pieces[:index], pieces[index:]
            head, tail = piece.cut(at)
            return (*pieces[:index], head), (tail, *pieces[index + 1 :])
        at -= piece.length
    return pieces, ()
