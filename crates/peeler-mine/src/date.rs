//! Converts between days such as `2026-11-17` in UTC and seconds since 1970.

/// The number of seconds in a day.
const DAY: i64 = 86_400;

/// The day in UTC that contains a time, which is given in seconds since 1970. The format is `2026-11-17`.
#[must_use]
pub fn day_of(seconds: i64) -> String {
    let (year, month, day) = civil(seconds.div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

/// The start of a day in UTC, in seconds since 1970. The day is given as `2026-11-17`; `None` if the text is no valid
/// day.
#[must_use]
pub fn start_of(day: &str) -> Option<i64> {
    let mut parts = day.splitn(3, '-');
    let year: i64 = parts.next().filter(|it| it.len() == 4)?.parse().ok()?;
    let month: i64 = parts.next().filter(|it| it.len() == 2)?.parse().ok()?;
    let date: i64 = parts.next().filter(|it| it.len() == 2)?.parse().ok()?;
    let days = days_since_1970(year, month, date);
    (civil(days) == (year, month, date)).then_some(days * DAY)
}

/// The number of days from 1970-01-01 to a day. The computation lets years start in March, so that a leap day is the
/// last day of a year.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The year, month and day that is `days` days after 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::{day_of, start_of};

    #[test]
    fn days_and_seconds_agree() {
        for (day, seconds) in [
            ("1970-01-01", 0),
            ("2000-02-29", 951_782_400),
            ("2026-11-17", 1_794_873_600),
            ("1969-12-31", -86_400),
        ] {
            assert_eq!((day_of(seconds).as_str(), start_of(day)), (day, Some(seconds)));
            assert_eq!(day_of(seconds + 86_399), day);
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for wrong in [
            "",
            "2026",
            "2026-13-01",
            "2025-02-29",
            "17-11-2026",
            "2026-1-1",
            "2026-01-01x",
        ] {
            assert_eq!(start_of(wrong), None, "{wrong}");
        }
    }
}
