"""Fixtures for tests that drive both real hosts; a host that is missing fails its tests and names the remedy."""

import pytest

from hosts.harness import Host, find_host
from hosts.install import RELEASES


@pytest.fixture(params=[pytest.param(version, marks=pytest.mark.hosts, id=version) for version in RELEASES])
def host(request: pytest.FixtureRequest) -> Host:
    """Each installed host in turn."""
    missing = ""
    try:
        return find_host(request.param)
    except LookupError as error:
        missing = str(error)
    return pytest.fail(missing, pytrace=False)
