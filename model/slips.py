"""Which slip of the pen asked a symbolic value for its truth value.

Python turns `a and b`, `not a`, `a in b`, `if a` and `0 < a < 3` into a question for a truth value.
The line of the caller is parsed again to see which of them it was, so that the message can name the
cure. This runs only when a model is wrong.
"""

from __future__ import annotations

import ast
import sys
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
    construct = _construct(frame) if frame else "If"
    code, cure = _CURES[construct]
    what = f"`{shown}` depends on the state, so Python cannot decide it while the model is built"
    return ModelError(code, what, cure, caller())


def _construct(frame: FrameType) -> str:
    """The innermost construct around the running instruction that asks for a truth value."""
    import linecache

    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    first, last, start, end = (p if p is not None else -1 for p in positions)
    source = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    try:
        tree = ast.parse("".join(source))
    except SyntaxError:
        return "If"
    found = "If"
    smallest: tuple[int, int] | None = None
    for node in ast.walk(tree):
        kind = _asks(node)
        if kind is None:
            continue
        span = _span(node)
        if not (span[0] <= (first, start) and (last, end) <= span[1]):
            continue
        size = (span[1][0] - span[0][0], span[1][1] - span[0][1])
        if smallest is None or size <= smallest:
            smallest, found = size, kind
    return found


def _span(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
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
