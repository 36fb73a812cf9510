"""Names of downloads, paths of uploads, credentials and addresses, without a browser."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from cdp_agent.act.upload.upload_paths import UploadPaths
from cdp_agent.act.wait.conditions import WaitConditions, url_fits
from cdp_agent.api.access.storage import require_state
from cdp_agent.errors import InvalidParams
from cdp_agent.targets.network.auth import Credentials, origin_of, without_password
from cdp_agent.targets.network.downloads import Download, safe_name

NAMES = {
    "as it is": ("report 2026.pdf", "report 2026.pdf"),
    "folders": ("../../etc/passwd", "_.._etc_passwd"),
    "another system's folders": ("..\\..\\boot.ini", "_.._boot.ini"),
    "hidden": (".bashrc", "bashrc"),
    "nothing but dots": ("...", "download"),
    "empty": ("", "download"),
    "control characters": ("a\x00b\nc.txt", "a_b_c.txt"),
    "text that runs backwards": ("gpj.\u202eexe", "gpj.exe"),
    "letters of any language": ("отчёт.csv", "отчёт.csv"),
    "trailing dots and spaces": ("name. . ", "name"),
}


@pytest.mark.parametrize(("suggested", "name"), NAMES.values(), ids=NAMES.keys())
def test_a_suggested_name_is_made_safe(suggested: str, name: str) -> None:
    assert safe_name(suggested) == name


def test_a_long_name_keeps_its_ending() -> None:
    name = safe_name("ä" * 500 + ".tar")
    assert name.endswith(".tar")
    assert len(name.encode()) <= 150


async def test_a_finished_file_gets_its_name_and_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "guid").write_text("new")
    download = Download(None, "guid", "http://x/", "a.txt", "")  # type: ignore[arg-type]

    download.progressed({"state": "completed", "receivedBytes": 3}, tmp_path)

    assert download.path == tmp_path / "a (1).txt"
    assert sorted(os.listdir(tmp_path)) == ["a (1).txt", "a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"
    assert (download.state, download.size) == ("completed", 3)
    assert await download.wait(0) == download.path


def test_a_folder_is_uploaded_alone(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("1")
    with pytest.raises(InvalidParams):
        UploadPaths.of([tmp_path, tmp_path / "one.txt"])
    assert UploadPaths.of(tmp_path).contents() == [(f"{tmp_path.name}/one.txt", 1)]


@pytest.mark.parametrize("paths", [None, 3, [3], [""], b"x"], ids=repr)
def test_what_is_no_path_is_refused(paths: object) -> None:
    with pytest.raises(InvalidParams):
        UploadPaths.of(paths)


ACCEPTED = {
    "": [],
    "image/*": ["b.csv"],
    ".CSV": ["a.png"],
    "image/png, .csv": [],
    "application/pdf": ["a.png", "b.csv"],
}


@pytest.mark.parametrize(("accept", "refused"), ACCEPTED.items())
def test_files_are_compared_with_what_an_input_names(accept: str, refused: list[str]) -> None:
    wanted = UploadPaths((Path("/x/a.png"), Path("/x/b.csv")), None)
    assert wanted.not_accepted(accept) == refused


ADDRESSES: dict[str, tuple[str | re.Pattern[str], bool]] = {
    "a part": ("/cart", True),
    "another part": ("/pay", False),
    "all of it": ("https://shop.test/*?step=2", True),
    "not all of it": ("*/cart", False),
    "a pattern": (re.compile(r"step=\d$"), True),
    "characters that mean something elsewhere": ("cart?step=2", True),
}


@pytest.mark.parametrize(("wanted", "fits"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_address_is_compared(wanted: str | re.Pattern[str], fits: bool) -> None:
    assert url_fits("https://shop.test/cart?step=2", wanted) is fits


def test_a_wish_for_nothing_is_refused() -> None:
    with pytest.raises(InvalidParams):
        WaitConditions()


def test_credentials_are_found_by_origin_and_never_shown() -> None:
    known = Credentials.of({"https://a.test:443/x": ("ada", "secret"), "*": ("bob", "other")})
    assert known.find(origin_of("https://a.test/y")) == ("ada", "secret")
    assert known.find("http://b.test:8080") == ("bob", "other")
    assert "secret" not in repr(known)
    for wrong in ("ada", ("ada",), {"a.test": ("ada", "secret")}, {"*": ("ada", 3)}):
        with pytest.raises(InvalidParams):
            Credentials.of(wrong)


SHOWN = {
    "https://ada:secret@a.test/x": "https://a.test/x",
    "https://ada@a.test": "https://a.test",
    "https://a.test/@me?to=x@y": "https://a.test/@me?to=x@y",
    "data:text/plain,a@b": "data:text/plain,a@b",
    "": "",
}


@pytest.mark.parametrize(("url", "shown"), SHOWN.items())
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


@pytest.mark.parametrize("wrong", [None, 3, {"cookies": [{}]}, {"origins": [{"origin": ""}]}])
def test_what_is_no_storage_state_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidParams):
        require_state(wrong)
