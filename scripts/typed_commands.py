"""Writes `cdp_agent/protocol/typed_commands.pyi`: the types of the commands that we send.

`Session.post` and `Session.send_only` get one overload for each method that the sources name at a
call: its parameters and its result as cdp-use has them. A method that the protocol does not have
gets none, and mypy refuses the call. cdp-use is read as text: importing it loads 220 modules.
`scripts/fix` runs this: `python -m scripts.typed_commands`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
STUB = ROOT / "cdp_agent" / "protocol" / "typed_commands.pyi"
SOURCES = ("cdp_agent", "scripts", "tests")
#: Commands whose parameters are put together from parts: mypy takes `**part` only where the part's
#: type has every optional key, so there is a type of these alone.
IN_PARTS = ("Runtime.callFunctionOn", "Runtime.evaluate")

_HEAD = '''\
"""Types of the commands that we send, for mypy alone. Made by scripts/typed_commands.py.

Results are as cdp-use has them: it marks every key of a result as present, also those that the
protocol calls optional, so an optional key is read by `get`.
"""

# Do not edit: run scripts/fix. One line for each command is easier to read than eight.
# ruff: noqa: E501
# fmt: off
'''


@dataclass(frozen=True, order=True)
class Command:
    """One command of the protocol; the types are names in `module`, or plain Python."""

    method: str
    module: str
    params: str
    result: str
    needs_params: bool


def _cdp_use() -> Path:
    spec = find_spec("cdp_use")
    if spec is None or spec.origin is None:
        raise SystemExit("cdp-use is not installed: run scripts/setup dev")
    return Path(spec.origin).parent / "cdp"


def protocol_commands() -> dict[str, Command]:
    """Returns every command that cdp-use knows, by its method."""
    commands: dict[str, Command] = {}
    for path in sorted(_cdp_use().glob("*/library.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.AsyncFunctionDef):
                command = _command(node, path.parent.name)
                commands[command.method] = command
    return commands


def protocol_events() -> frozenset[str]:
    """Returns every event that cdp-use knows: `Page.loadEventFired`."""
    return frozenset(
        str(node.value)
        for path in _cdp_use().glob("*/registration.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and re.fullmatch(r"[A-Z]\w*\.\w+", str(node.value))
    )


def _command(function: ast.AsyncFunctionDef, module: str) -> Command:
    """Reads `async def navigate(self, params: "NavigateParameters", …) -> "NavigateReturns"`."""
    [method] = [
        keyword.value.value
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "method" and isinstance(keyword.value, ast.Constant)
    ]
    positional = function.args.args
    needs_params = len(positional) - len(function.args.defaults) > 1  # beyond `self`
    annotation = positional[1].annotation
    names = [name for name in _names(annotation) if name.endswith("Parameters")]
    results = [name for name in _names(function.returns) if name.endswith("Returns")]
    return Command(
        str(method),
        module,
        f"{module}.{names[0]}" if names else "",
        f"{module}.{results[0]}" if results else "dict[str, Any]",
        needs_params,
    )


def _names(annotation: ast.expr | None) -> Iterator[str]:
    """Yields the names in an annotation, also in one that is written as a string."""
    if annotation is None:
        return
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names(ast.parse(node.value, mode="eval").body)


def _options(command: Command) -> list[str]:
    """Returns the lines of a type that has the optional parameters of a command."""
    name = command.params.removeprefix(f"{command.module}.")
    lines = [f"class {name.removesuffix('Parameters')}Options(TypedDict, total=False):"]
    tree = ast.parse((_cdp_use() / command.module / "commands.py").read_text("utf-8"))
    [fields] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    for field in fields.body:
        if isinstance(field, ast.AnnAssign) and isinstance(field.annotation, ast.Constant):
            text = str(field.annotation.value)
            if text.startswith("NotRequired["):
                kind = _qualified(text.removeprefix("NotRequired[")[:-1], command.module, tree)
                lines.append(f"    {ast.unparse(field.target)}: {kind}")
    return lines


def _qualified(annotation: str, module: str, tree: ast.Module) -> str:
    """Returns an annotation with the names of `types` modules as the stub imports them."""
    modules = {
        alias.name: (node.module or "").removesuffix("types").strip(".") or module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("types")
        for alias in node.names
    }
    expression = ast.parse(annotation, mode="eval").body
    for name in ast.walk(expression):
        if isinstance(name, ast.Name):
            name.id = f"{modules[name.id]}_types.{name.id}" if name.id in modules else name.id
    return ast.unparse(expression).replace("List[", "list[")


@dataclass(frozen=True)
class SentMethods:
    """The methods that the sources send, by the form of the call."""

    post: frozenset[str]
    post_into: frozenset[str]
    send_only: frozenset[str]


def sent_methods(roots: tuple[Path, ...]) -> SentMethods:
    """Returns the methods named at calls of `post` and `send_only` in these folders."""
    sent: dict[str, set[str]] = {"post": set(), "post_into": set(), "send_only": set()}
    texts = [path.read_text("utf-8") for root in roots for path in root.rglob("*.py")]
    for text in texts:
        if "post(" not in text and "send_only(" not in text:
            continue  # parsing them all takes seconds
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = _called(node.func)
            method = node.args[0]
            if name not in sent or not isinstance(method, ast.Constant):
                continue
            into = any(keyword.arg == "into" for keyword in node.keywords)
            sent["post_into" if into else name].add(str(method.value))
    return SentMethods(*(frozenset(methods) for methods in sent.values()))


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def stub_text() -> str:
    """Returns the stub for the sources as they are now."""
    commands = protocol_commands()
    sent = sent_methods(tuple(ROOT / folder for folder in SOURCES))

    def known(methods: frozenset[str]) -> list[Command]:
        return [commands[method] for method in sorted(methods & commands.keys())]

    post, post_into, send_only = known(sent.post), known(sent.post_into), known(sent.send_only)
    classes = [
        *(line for method in IN_PARTS for line in (*_options(commands[method]), "")),
        "class Post(Protocol):",
        *(_overload(c, ", *, timeout: float = ...", f"Future[{c.result}]") for c in post),
        *(_overload(c, ", *, into: type[T], timeout: float = ...", "Future[T]") for c in post_into),
        "",
        "class SendOnly(Protocol):",
        *(_overload(c, "", "None") for c in send_only),
    ]
    text = "\n".join(classes)
    lines = [
        _HEAD,
        "from asyncio import Future",
        "from typing import Any, Literal, Protocol, TypedDict, TypeVar, overload",
        "",
        *_imports(text, {command.module for command in commands.values()}),
        "",
        'T = TypeVar("T")',
        "",
    ]
    return "\n".join([*lines, text]) + "\n"


def _imports(text: str, modules: set[str]) -> Iterator[str]:
    """Yields an import for each module of cdp-use that the text names."""
    named = set(re.findall(r"\b(\w+)\.\w", text))
    for module in sorted(modules):
        names = {"commands": module, "types": f"{module}_types"}
        parts = [f"{name} as {own}" for name, own in names.items() if own in named]
        if parts:
            yield f"from cdp_use.cdp.{module} import {', '.join(parts)}"


def _overload(command: Command, rest: str, result: str) -> str:
    params = command.params or "None"
    if not command.needs_params:
        params += (" | None" if command.params else "") + " = None"
    parameters = f'self, method: Literal["{command.method}"], params: {params}{rest}'
    return f"    @overload\n    def __call__({parameters}) -> {result}: ..."


if __name__ == "__main__":
    STUB.write_text(stub_text(), "utf-8")
