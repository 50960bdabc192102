//! `count NUMBER`: one run of a stage in [`measured`], whose instructions valgrind counts; without
//! a number, the names of all. The run before it does what only a first run does.

use std::env;

fn main() {
    let mut stages = stages::stages();
    let number = env::args().nth(1).and_then(|number| number.parse::<usize>().ok());
    match number.and_then(|number| stages.get_mut(number)) {
        Some((.., run)) => {
            run();
            measured(run);
        }
        None => stages.iter().for_each(|(group, name, _)| println!("{group}: {name}")),
    }
}

#[inline(never)]
fn measured(run: &mut dyn FnMut()) {
    run();
}
