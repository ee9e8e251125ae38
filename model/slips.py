"""Which slip of the pen asked a symbolic value for its truth value.

Python turns `a and b`, `not a`, `a in b`, `if a` and `0 < a < 3` into a question for a truth value.
The line of the caller is parsed again to see which of them it was, so that the message can name the
cure. This runs only when a model is wrong.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from types import FrameType

from twice.model.errors import ModelError, Place

_HERE = __file__.rpartition("slips.py")[0]

_CURES: dict[str, tuple[str, str]] = {
    "And": ("L101", "(a == X) & (b == Y), or two arguments of require()"),
    "Or": ("L102", "(a == X) | (b == Y)"),
    "Not": ("L103", "~a, with parentheses: ~(a == X)"),
    "In": ("L104", "x.is_in(a, b)"),
    "chain": ("L105", "two comparisons: (0 < x) & (x < 3), or two arguments of require()"),
    "If": ("L106", "`with when(condition):` around the assignments, or require(condition)"),
    "IfExp": ("L107", "ite(condition, x, y)"),
    "While": ("L108", "one action per turn; the explorer repeats it"),
    "Call": ("L109", "ite(a < b, b, a), forall(Sort, ...), exists(Sort, ...) or count(Sort, ...)"),
}


def caller() -> Place | None:
    """The nearest line outside the language itself: the line of the model being built."""
    frame = model_frame()
    return Place(frame.f_code.co_filename, frame.f_lineno) if frame else None


def model_frame() -> FrameType | None:
    """The nearest frame outside the language itself.

    Doctests and models typed at a prompt have no file of their own; they count as outside.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return frame


def explain_truth_value(shown: str) -> ModelError:
    """The error for a symbolic value that was asked for its truth value."""
    frame = model_frame()
    construct = (_construct(frame) if frame else None) or "If"
    code, cure = _CURES[construct]
    what = f"`{shown}` depends on the state, so Python cannot decide it while the model is built"
    return ModelError(code, what, cure, caller())


def joins_what_it_compares() -> bool:
    """Whether the running comparison has `&` or `|` on one side, with no parentheses around it."""
    frame = model_frame()
    here = _running(frame) if frame else None
    if frame is None or here is None:
        return False
    for node in _nodes(frame):
        if isinstance(node, ast.Compare) and _span(node) == here and len(node.ops) == 1:
            (start, _), (_, end) = _span(node.left), _span(node.comparators[0])
            # Parentheses around a side lie between its end and the comparison's.
            bare = [
                side
                for side, outer, inner in (
                    (node.left, here[0], start),
                    (node.comparators[0], here[1], end),
                )
                if outer == inner
            ]
            return any(
                isinstance(side, ast.BinOp) and isinstance(side.op, (ast.BitAnd, ast.BitOr))
                for side in bare
            )
    return False


Span = tuple[tuple[int, int], tuple[int, int]]
"""Line and column of the start and of the end."""


def _running(frame: FrameType) -> Span | None:
    """Where the instruction that a frame is at was written."""
    first, last, start, end = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    if first is None or last is None or start is None or end is None:
        return None
    return (first, start), (last, end)


def _nodes(frame: FrameType) -> Iterator[ast.AST]:
    """Every node of the source of a frame, or nothing where it is not at hand."""
    import linecache

    source = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    try:
        yield from ast.walk(ast.parse("".join(source)))
    except SyntaxError:
        return


def _construct(frame: FrameType) -> str | None:
    """The innermost construct around the running instruction that asks for a truth value."""
    here = _running(frame)
    found: str | None = None
    smallest: tuple[int, int] | None = None
    for node in _nodes(frame) if here else ():
        kind = _asks(node)
        if here is None or kind is None:
            continue
        span = _span(node)
        if not (span[0] <= here[0] and here[1] <= span[1]):
            continue
        size = (span[1][0] - span[0][0], span[1][1] - span[0][1])
        if smallest is None or size <= smallest:
            smallest, found = size, kind
    return found


def _span(node: ast.AST) -> Span:
    # Of a statement only its test asks for a truth value, not its body.
    part = node.test if isinstance(node, (ast.If, ast.While)) else node
    assert isinstance(part, ast.expr)
    return (part.lineno, part.col_offset), (part.end_lineno or 0, part.end_col_offset or 0)


def _asks(node: ast.AST) -> str | None:
    if isinstance(node, ast.BoolOp):
        return type(node.op).__name__
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "Not"
    if isinstance(node, ast.Compare):
        if any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            return "In"
        return "chain" if len(node.ops) > 1 else None
    if isinstance(node, ast.Call):
        named = isinstance(node.func, ast.Name) and node.func.id in (
            "max",
            "min",
            "any",
            "all",
            "bool",
            "sorted",
        )
        return "Call" if named else None
    return type(node).__name__ if isinstance(node, (ast.If, ast.While, ast.IfExp)) else None
