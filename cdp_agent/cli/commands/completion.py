"""`cdp-agent completion SHELL`: a completion script for a shell."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field

_BASH = """\
_cdp_agent() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="${{COMP_WORDS[1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"; else
    case "$command $previous" in
{values}
      *) case "$current" in
        -*) case "$command" in
{options}
        esac ;;
        *) case "$command" in
{choices}
        esac ;;
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ ${{#COMPREPLY[@]}} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -o filenames -F _cdp_agent cdp-agent"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


@dataclass(slots=True)
class CompletionWords:
    """The words that may follow a command: options, choices, and values of options."""

    options: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)


def run(args: argparse.Namespace) -> int:
    from cdp_agent.cli.command_line import build_parser

    words = words_of(build_parser())
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](words))
    return 0


def words_of(parser: argparse.ArgumentParser) -> dict[str, CompletionWords]:
    """Each command with what may follow it."""
    found: dict[str, CompletionWords] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                found[name] = words = CompletionWords()
                for part in command._actions:
                    choices = [str(choice) for choice in part.choices or ()]
                    words.options += part.option_strings
                    if not part.option_strings:
                        words.choices += choices
                    elif choices:
                        words.values |= dict.fromkeys(part.option_strings, choices)
    return found


def _bash(words: dict[str, CompletionWords]) -> str:
    values = [
        _case(f'"{name} {option}"', some)
        for name, one in words.items()
        for option, some in one.values.items()
    ]
    return _BASH.format(
        commands=" ".join(words),
        values="\n".join(values),
        options="\n".join(_case(name, one.options) for name, one in words.items()),
        choices="\n".join(_case(name, one.choices) for name, one in words.items() if one.choices),
    )


def _case(pattern: str, words: list[str]) -> str:
    return f'      {pattern}) words="{" ".join(words)}" ;;'


def _zsh(words: dict[str, CompletionWords]) -> str:
    return _ZSH + _bash(words)


def _fish(words: dict[str, CompletionWords]) -> str:
    lines = [f"complete -c cdp-agent -n __fish_use_subcommand -f -a '{' '.join(words)}'"]
    for name, one in words.items():
        seen = f"complete -c cdp-agent -n '__fish_seen_subcommand_from {name}'"
        if one.choices:
            lines.append(f"{seen} -a '{' '.join(one.choices)}'")
        for option in one.options:
            if option.startswith("--"):
                some = one.values.get(option)
                value = f" -x -a '{' '.join(some)}'" if some else ""
                lines.append(f"{seen} -l {option[2:]}{value}")
    return "\n".join(lines)
