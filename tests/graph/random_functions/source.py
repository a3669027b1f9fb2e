"""source: a random function as a small tree, which prints itself as a user would write it."""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["Expression", "Function", "Line"]


@dataclass(frozen=True)
class Expression:
    """Text with places for other expressions; ``loose`` needs brackets inside another."""

    template: str
    parts: tuple[Expression, ...] = ()
    loose: bool = False

    def __str__(self) -> str:
        return self.template.format(
            *(f"({part})" if part.loose else str(part) for part in self.parts)
        )

    def put_for(self, name: str, other: Expression) -> Expression:
        """Return the expression with another one wherever a name stands."""
        if not self.parts:
            return other if self.template == name else self
        parts = tuple(part.put_for(name, other) for part in self.parts)
        return Expression(self.template, parts, self.loose)

    def smaller(self):
        """Yield expressions with one piece less, the smallest first."""
        yield from self.parts
        for number, part in enumerate(self.parts):
            for other in part.smaller():
                parts = (*self.parts[:number], other, *self.parts[number + 1 :])
                yield Expression(self.template, parts, self.loose)


@dataclass(frozen=True)
class Line:
    """A statement: ``name = expression``, or, without a name, a change in place."""

    name: str
    expression: Expression

    def __str__(self) -> str:
        return f"{self.name} = {self.expression}" if self.name else str(self.expression)

    def smaller(self):
        # A change is a statement, whose parts are none.
        others = self.expression.smaller()
        kept = (e for e in others if self.name or e.template == self.expression.template)
        return (Line(self.name, expression) for expression in kept)


@dataclass(frozen=True)
class Function:
    """Lines and what is returned, for elements that are arguments or a dict of them."""

    arguments: tuple[str, ...]
    takes_dict: bool
    lines: tuple[Line, ...]
    result: Expression

    def __str__(self) -> str:
        lines = [str(line) for line in self.lines]
        if self.takes_dict:
            lines[:0] = [f'{name} = element["{name}"]' for name in self.arguments]
        given = "element" if self.takes_dict else ", ".join(self.arguments)
        body = "\n".join([*lines, f"return {self.result}"])
        return f"def f({given}):\n    " + body.replace("\n", "\n    ")

    def smaller(self):
        """Yield functions with one piece less, the smallest first."""
        for number in reversed(range(len(self.lines))):
            yield self._with_lines(number, ())
        for number, line in enumerate(self.lines):
            if line.name:
                yield self._inlined(number, line)
        for number in range(len(self.result.parts)):
            yield replace(self, result=_without(self.result, number))
        for other in self.result.smaller():
            yield replace(self, result=other)
        for number, line in enumerate(self.lines):
            for other in line.smaller():
                yield self._with_lines(number, (other,))

    def _with_lines(self, number, lines):
        return replace(self, lines=(*self.lines[:number], *lines, *self.lines[number + 1 :]))

    def _inlined(self, number, line):
        """What a line gives a name to stands where the name stood."""
        later = self.lines[number + 1 :]
        put = [Line(o.name, o.expression.put_for(line.name, line.expression)) for o in later]
        result = self.result.put_for(line.name, line.expression)
        return replace(self, lines=(*self.lines[:number], *put), result=result)


def _without(result, number):
    """Return a tuple with one part less."""
    parts = result.parts[:number] + result.parts[number + 1 :]
    return Expression(", ".join(f"{{{place}}}" for place in range(len(parts))) or "()", parts)
