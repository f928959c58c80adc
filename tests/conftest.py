"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# a busy machine is no finding: nothing fails for the time it takes
settings.register_profile("subdrift", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("subdrift")
