"""Where and with what a measurement is made: processor, versions, commit, the core it is pinned to, the prototype.

Guarantees: asking never fails for want of git or of a package (the answer is then "unknown" or empty), except for the
prototype, whose absence or failed build is reported with the reason.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class PrototypeMissing(Exception):
    """The prototype is neither built nor buildable here."""


def pin(core: int | None) -> str:
    """Pins this process and its children to one core where the system can; says to which."""
    if core is None or not hasattr(os, "sched_setaffinity"):
        return "not pinned"
    allowed = os.sched_getaffinity(0)
    chosen = core if core in allowed else max(allowed)
    os.sched_setaffinity(0, {chosen})
    return str(chosen)


def description(core: str) -> dict[str, str]:
    """The columns that say where a row comes from."""
    return {
        "commit": commit(),
        "paretree_version": version("paretree"),
        "pystreed_version": version("pystreed"),
        "python": platform.python_version(),
        "processor": processor(),
        "core": core,
        "date": datetime.date.today().isoformat(),
    }


def commit() -> str:
    """The short commit of this repository, with a plus sign when tracked files differ from it."""
    found = _git("rev-parse", "--short", "HEAD")
    return (found + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")) if found else "unknown"


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version(package: str) -> str:
    """The installed version of a package, or nothing."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def installed(package: str) -> bool:
    """Whether a package can be imported, without importing it."""
    return importlib.util.find_spec(package) is not None


def processor() -> str:
    """The processor's name and family, model and stepping, since names like "AMD EPYC" say little."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    numbers = "/".join(facts.get(name, "?") for name in ("cpu family", "model", "stepping"))
    return f"{facts.get('model name', platform.machine())} ({numbers})"


def prototype(place: Path) -> Path:
    """The executable of the prototype: `place` itself, or built from the sources in the folder `place`.

    The sources are copied to a folder of this user's under the system's temporary one: nothing is written beside them.
    """
    if place.is_file():
        return place.resolve()
    if not (place / "Cargo.toml").is_file():
        raise PrototypeMissing(f"{place} is neither an executable nor a folder with the prototype's Cargo.toml")
    copy = Path(tempfile.gettempdir()) / f"paretree-prototype-{os.getuid()}"
    shutil.copytree(place, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("target"))
    try:
        done = subprocess.run(["cargo", "build", "--release"], cwd=copy, capture_output=True, text=True, check=False)
    except OSError as error:
        raise PrototypeMissing(f"cargo cannot be run: {error}") from error
    if done.returncode != 0:
        raise PrototypeMissing(f"the prototype does not build:\n{done.stderr[-2000:]}")
    return copy / "target" / "release" / "prototype"
