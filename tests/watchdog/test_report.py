"""What the watchdog says, from values alone."""

from datetime import timedelta

import pytest
from homes import NOW, ago
from memory_shaper.watchdog.forecast import Forecast, Size, forecast
from memory_shaper.watchdog.report import of_cap


def test_of_cap__numbers_a_person_reads():
    """A size stands beside the cap, with thousands apart and the share."""
    assert of_cap(1904, 2200) == "1,904 of 2,200 characters (87 %)"


def test_forecast__growth_leads_to_the_cap():
    """Ten characters a day with 200 left: the cap is met in twenty days."""
    history = [Size(ago(30 - day), 1700 + 10 * day) for day in range(30)]
    assert forecast(history, 2000, 2200, NOW) == Forecast(10.0, NOW + timedelta(days=20))


def test_forecast__archiving_is_no_growth():
    """What the archive took does not count against the growth."""
    history = [Size(ago(20), 2000), Size(ago(10), 2100), Size(ago(5), 1700)]
    assert forecast(history, 1800, 2200, NOW).daily == 10.0


@pytest.mark.parametrize(("history", "size"), [([], 100), ([Size(ago(0.5), 100)], 200), ([Size(ago(90), 100)], 200)])
def test_forecast__too_little_is_known(history, size):
    """Without a day of history in the last weeks nothing is foretold."""
    assert forecast(history, size, 2200, NOW) is None


def test_forecast__stillness_never_fills():
    """An index that does not grow is never full; one over its cap is full now."""
    assert forecast([Size(ago(20), 2000)], 2000, 2200, NOW).full_at is None
    assert forecast([Size(ago(20), 2000)], 2300, 2200, NOW).full_at == NOW
