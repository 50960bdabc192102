//! The order of the core's modules in its `lib.rs`.

#[cfg(test)]
mod tests {
    use crate::{process, project};

    const SOURCES: &str = "crates/sendoff/src/";

    /// One layer: a problem is a document, and the values of a document are typed values.
    const DOCUMENTS: [&str; 3] = ["error", "document", "value"];

    #[test]
    fn a_module_of_the_core_uses_only_those_above_it() {
        let root = project::read(&format!("{SOURCES}lib.rs")).unwrap();
        let name = |line: &str| {
            line.trim_start_matches("pub ")
                .strip_prefix("mod ")?
                .strip_suffix(';')
                .map(String::from)
        };
        let modules: Vec<String> = root.lines().filter_map(name).collect();
        let place = |module: &str| modules.iter().position(|known| known == module);

        let files = process::answer(
            &mut process::quiet("git", &["ls-files", &format!("{SOURCES}*.rs")]),
            "",
        )
        .unwrap();
        let mut climbs = Vec::new();
        for file in files.lines().filter(|file| !file.ends_with("/lib.rs")) {
            let module = file.trim_start_matches(SOURCES).split(['/', '.']).next().unwrap();
            let text = project::read(file).unwrap();
            let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));

            for line in code.filter_map(|line| line.split("//").next()) {
                for used in line
                    .split("crate::")
                    .skip(1)
                    .filter_map(|rest| rest.split(|c| c != '_' && !char::is_alphanumeric(c)).next())
                {
                    let is_layer = [module, used].iter().all(|module| DOCUMENTS.contains(module));
                    if place(used) > place(module) && !is_layer {
                        climbs.push(format!("{file}: {}", line.trim()));
                    }
                }
            }
        }
        assert!(modules.len() > 15 && climbs.is_empty(), "{climbs:#?}");
    }
}
