"""The fixture of the real hosts, for the benchmark that asks a model."""

from hosts.conftest import host

__all__ = ["host"]
