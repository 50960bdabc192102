//! Dates in the two spellings of the service.

use alloc::string::String;

use crate::text::padded;

/// A time that does not come: the largest integer that is a number in JavaScript, so that a saved state can be read there.
pub(crate) const NEVER: i64 = (1 << 53) - 1;

/// Milliseconds since the epoch as RFC 3339, with microseconds, as NFT orders have it.
pub(crate) fn rfc3339(ms: i64) -> String {
    date(ms, "T", "Z")
}

/// The same as Go's `time.Time` prints itself, which token orders have and which is not RFC 3339.
pub(crate) fn go(ms: i64) -> String {
    date(ms, " ", " +0000 UTC")
}

/// A date with a text before its time, and one at its end.
fn date(ms: i64, middle: &str, end: &str) -> String {
    let end = ["000", end].concat();
    let behind = ["-", "-", middle, ":", ":", ".", &end];
    let parts = civil(ms).into_iter().zip([4, 2, 2, 2, 2, 2, 3]).zip(behind);
    parts.flat_map(|((part, width), behind)| [padded(part, width), behind.into()]).collect()
}

/// Year, month, day, hour, minute, second and millisecond in UTC. Source: Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms".
fn civil(ms: i64) -> [i64; 7] {
    let (days, rest) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let shifted = days.saturating_add(719_468);
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let leaps = day_of_era.saturating_sub(day_of_era / 1_460).saturating_add(day_of_era / 36_524);
    let year_of_era = leaps.saturating_sub(day_of_era / 146_096) / 365;
    let before = year_of_era
        .saturating_mul(365)
        .saturating_add(year_of_era / 4)
        .saturating_sub(year_of_era / 100);
    let day_of_year = day_of_era.saturating_sub(before);
    let shifted_month = day_of_year.saturating_mul(5).saturating_add(2) / 153;
    let day = day_of_year
        .saturating_sub(shifted_month.saturating_mul(153).saturating_add(2) / 5)
        .saturating_add(1);
    let month = if shifted_month < 10 {
        shifted_month.saturating_add(3)
    } else {
        shifted_month.saturating_sub(9)
    };
    let year =
        era.saturating_mul(400).saturating_add(year_of_era).saturating_add(i64::from(month <= 2));
    [year, month, day, rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60, rest % 1_000]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_published_examples() {
        assert_eq!(go(1_729_575_964_626), "2024-10-22 05:46:04.626000 +0000 UTC");
        assert_eq!(rfc3339(1_729_584_103_250), "2024-10-22T08:01:43.250000Z");
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(rfc3339(951_782_400_000), "2000-02-29T00:00:00.000000Z");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59.999000Z");
    }
}
