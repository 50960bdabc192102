//! The time of processors that this process and the processes that it waited for have taken. It
//! hardly depends on what else a machine does.

use std::fs;

/// The clock ticks of a second in `/proc`: Linux shows them so on every machine.
const TICKS: f64 = 100.0;

/// The seconds so far, in user and system mode; `None` where there is no `/proc`.
pub(crate) fn seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name is in parentheses and may have spaces. The 14th to the 17th field are
    // utime, stime, cutime and cstime.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: Option<f64> =
        fields.get(11..15)?.iter().map(|field| field.parse::<f64>().ok()).sum();
    Some(ticks? / TICKS)
}
