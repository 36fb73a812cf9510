"""`cdp-agent completion SHELL`: a script that completes commands and their options."""

from __future__ import annotations

import argparse

_BASH = """\
_cdp_agent() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"; else
    case "$command" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ ${{#COMPREPLY[@]}} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}}
complete -F _cdp_agent cdp-agent"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def run(args: argparse.Namespace) -> int:
    from cdp_agent.cli.command_line import build_parser

    words = words_of(build_parser())
    if args.shell == "fish":
        print("\n".join(_fish(words)))
        return 0
    cases = "\n".join(f'      {name}) words="{" ".join(w)}" ;;' for name, w in words.items())
    script = _BASH.format(commands=" ".join(words), cases=cases)
    print((_ZSH if args.shell == "zsh" else "") + script)
    return 0


def words_of(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """Each command with what may follow it: options, and words to choose from."""
    found: dict[str, list[str]] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                found[name] = [
                    str(word)
                    for part in command._actions
                    for word in (part.option_strings or part.choices or ())
                ]
    return found


def _fish(words: dict[str, list[str]]) -> list[str]:
    lines = [f"complete -c cdp-agent -n __fish_use_subcommand -f -a '{' '.join(words)}'"]
    lines.extend(
        f"complete -c cdp-agent -n '__fish_seen_subcommand_from {name}' -a '{' '.join(some)}'"
        for name, some in words.items()
        if some
    )
    return lines
