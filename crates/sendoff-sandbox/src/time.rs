//! Dates in the two spellings of the service.

/// A time that does not come: the largest integer that is a number in JavaScript, so that a saved
/// state can be read there.
pub(crate) const NEVER: i64 = (1 << 53) - 1;

/// Milliseconds since the epoch as RFC 3339, with microseconds, as NFT orders have it.
pub(crate) fn rfc3339(ms: i64) -> String {
    let [year, month, day, hour, minute, second, ms] = civil(ms);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}000Z")
}

/// The same as Go's `time.Time` prints itself, which token orders have and which is not RFC 3339.
pub(crate) fn go(ms: i64) -> String {
    rfc3339(ms).replace('T', " ").replace('Z', " +0000 UTC")
}

/// The days before 1970 from which is counted: whole eras of 400 years, so that no number is negative.
const BEFORE: u64 = 719_468 + 714 * 146_097;

/// Year, month, day, hour, minute, second and millisecond in UTC. Source: Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms". A time that is no number of JavaScript's is the last or the first that is.
fn civil(ms: i64) -> [i64; 7] {
    let ms = ms.clamp(-NEVER, NEVER).wrapping_add_unsigned(BEFORE * 86_400_000);
    let (days, rest) = (ms / 86_400_000, ms % 86_400_000);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let leaps = day_of_era.wrapping_sub(day_of_era / 1_460).wrapping_add(day_of_era / 36_524);
    let year_of_era = leaps.wrapping_sub(day_of_era / 146_096) / 365;
    let before =
        year_of_era.wrapping_mul(365).wrapping_add(year_of_era / 4).wrapping_sub(year_of_era / 100);
    let shifted_month = day_of_era.wrapping_sub(before).wrapping_mul(5).wrapping_add(2) / 153;
    let day = day_of_era
        .wrapping_sub(before)
        .wrapping_sub(shifted_month.wrapping_mul(153).wrapping_add(2) / 5)
        .wrapping_add(1);
    let is_from_march = shifted_month < 10;
    let month = shifted_month.wrapping_add(if is_from_march { 3 } else { -9 });
    let year = era
        .wrapping_sub(714)
        .wrapping_mul(400)
        .wrapping_add(year_of_era)
        .wrapping_add(i64::from(!is_from_march));
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
        assert_eq!(rfc3339(1_735_603_200_000), "2024-12-31T00:00:00.000000Z");
        // The first and the last number of JavaScript, of which each time beyond is one.
        for (ms, expected) in [
            (NEVER, "287396-10-12T08:59:00.991000Z"),
            (i64::MAX, "287396-10-12T08:59:00.991000Z"),
            (i64::MIN, "-283457-03-21T15:00:59.009000Z"),
        ] {
            assert_eq!(rfc3339(ms), expected);
        }
    }
}
