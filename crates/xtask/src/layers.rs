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

    /// The words of a text: names of modules and of their items.
    fn words(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|c: char| c != '_' && !c.is_alphanumeric());
        words.filter(|word| !word.is_empty())
    }

    /// The `use` statements of a file with this start, without it, outside of its tests.
    fn uses<'t>(text: &'t str, start: &'t str) -> impl Iterator<Item = &'t str> {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        code.split(start).skip(1).filter_map(|rest| rest.split(';').next())
    }

    #[test]
    fn modules_of_estimates_and_intents_use_only_those_above_them() {
        let mut climbs = Vec::new();
        for folder in ["estimate", "intent"] {
            let root = project::read(&format!("{SOURCES}{folder}/mod.rs")).unwrap();
            let modules: Vec<_> = root
                .lines()
                .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
                .collect();
            let place = |name: &str| modules.iter().position(|known| *known == name);
            // The module of an item that the folder exports.
            let exported = uses(&root, "use ").filter(|list| !list.starts_with("crate::"));
            let exported: Vec<Vec<_>> = exported.map(|list| words(list).collect()).collect();
            let home = |item: &str| {
                let list =
                    exported.iter().find(|list| list.iter().skip(1).any(|word| *word == item))?;
                list.iter().find_map(|word| place(word))
            };

            for module in &modules {
                let text = project::read(&format!("{SOURCES}{folder}/{module}.rs")).unwrap();
                let used: Vec<_> = uses(&text, "use super::").flat_map(words).collect();
                let above = place(module).unwrap();
                let climbs_to = |word: &&str| place(word).or_else(|| home(word)) >= Some(above);
                climbs.extend(
                    used.into_iter().filter(climbs_to).map(|word| format!("{module}: {word}")),
                );
            }
            assert!(modules.len() > 10, "{modules:?}");
        }
        assert!(climbs.is_empty(), "{climbs:#?}");
    }
}
