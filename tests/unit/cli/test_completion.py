"""The completion script as bash runs it."""

from __future__ import annotations

import subprocess

import pytest

from cdp_agent.cli.main import main

LINES = {
    "a command": ("sn", ["snapshot"]),
    "an option": ("click --mod", ["--modifier"]),
    "an option's value": ("click --modifier Sh", ["Shift"]),
    "every value": ("run --approve ", ["ask", "deny", "auto"]),
    "a word to choose": ("scroll l", ["left"]),
    "no options unless asked for": ("tabs ", ["list", "new", "select", "close"]),
    "a file": ("act step", ["steps.yaml"]),
    "a file where nothing was typed": ("act ", ["steps.yaml"]),
}
_TRY = """
COMP_WORDS=(cdp-agent "$@"); COMP_CWORD=$(($#))
_cdp_agent
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(("line", "offered"), LINES.values(), ids=LINES.keys())
def test_bash_completes(
    line: str,
    offered: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("files")
    (folder / "steps.yaml").touch()
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out

    said = subprocess.run(
        ["bash", "-c", script + _TRY, "bash", *line.split(" ")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )

    assert said.stderr == ""
    assert said.stdout.split() == offered


def test_other_shells_get_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "zsh"])
    assert capsys.readouterr().out.startswith("autoload -U +X bashcompinit")
    main(["completion", "fish"])
    fish = capsys.readouterr().out.splitlines()
    assert "complete -c cdp-agent -n '__fish_seen_subcommand_from run' -l approve -x -a" in "".join(
        line.removesuffix(" 'ask deny auto'") for line in fish if "approve" in line
    )
