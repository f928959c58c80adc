"""What holds for all tests."""

from __future__ import annotations

import os

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
