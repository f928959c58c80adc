"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# a busy machine is not a finding: nothing fails for the time it takes; the gate tries the same examples each time,
# `make hostile` new ones
settings.register_profile(
    "subdrift",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="SUBDRIFT_HOSTILE" not in os.environ,
)
settings.load_profile("subdrift")

# a shell lets what it runs in the background ignore Ctrl-C, and children inherit that: here they are to be interrupted
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


COMPILED = "PYTHONPYCACHEPREFIX"


def pytest_configure(config: pytest.Config) -> None:
    """Where nothing may be compiled beside its source, the hundreds of processes that tests start would each compile all
    of the program: they share a folder."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and not hasattr(config, "workerinput"):
        os.environ[COMPILED] = tempfile.mkdtemp(prefix="subdrift-compiled-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ[COMPILED], ignore_errors=True))


@pytest.fixture(scope="module", autouse=True)
def _lasting() -> Iterator[None]:
    """What a module keeps for its tests is not looked through by each collection of garbage in all that follow."""
    yield
    gc.collect()
    gc.freeze()
