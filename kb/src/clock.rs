//! The day, days counted, and the time of a reading. Nothing else in the program looks at the clock.

use jiff::civil::{Date, date};
use jiff::{Zoned, tz::TimeZone};

/// The day of today in UTC, `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    Zoned::now().with_time_zone(TimeZone::UTC).date().to_string()
}

/// The time now in UTC as RFC 3339, with so many digits behind the second.
pub(crate) fn time(digits: usize) -> String {
    format!("{:.digits$}", jiff::Timestamp::now())
}

/// The days from 1970-01-01 to a date, `YYYY-MM-DD`; `None` for what is no date.
pub(crate) fn days(text: &str) -> Option<i64> {
    // The library also reads `20261130` and times.
    let day: Date = text.parse().ok().filter(|day: &Date| day.to_string() == text)?;
    day.since(date(1970, 1, 1)).ok().map(|span| i64::from(span.get_days()))
}

#[cfg(test)]
mod tests {
    use super::{days, time, today};

    #[test]
    fn times_are_of_one_length() {
        assert_eq!(time(0).len(), "2026-11-30T12:00:00Z".len());
        assert_eq!(time(3).len(), "2026-11-30T12:00:00.000Z".len());
    }

    #[test]
    fn dates_are_days() {
        for (day, count) in
            [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-11-30", 20_787), ("1960-12-31", -3288)]
        {
            assert_eq!(days(day), Some(count), "{day}");
        }
        for wrong in ["", "2026", "2026-11", "2026-13-01", "2026-02-30", "2026-11-30-1", "20261130", "today"]
        {
            assert_eq!(days(wrong), None, "{wrong}");
        }
        assert!(days(&today()).is_some_and(|day| day > 20_787));
    }
}
