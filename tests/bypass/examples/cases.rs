//! `cargo run -p bypass --example cases -- COUNT [FROM]`: writes this number of cases of each class
//! as JSON.

fn main() {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|text| text.parse().expect("a number")).collect();
    let (count, from) = match numbers[..] {
        [count] => (count, 0),
        [count, from] => (count, from),
        _ => panic!("expected a number of cases and a first number"),
    };
    print!("{}", bypass::cases_json(|_| (from..from + count).collect()));
}
