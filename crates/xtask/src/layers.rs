//! The order of modules in the core and in the pocket service: each uses only those above it.

#[cfg(test)]
mod tests {
    use crate::{process::said, project};

    const SOURCES: &str = "crates/sendoff/src/";

    /// One layer: a problem is a document, and the values of a document are typed values.
    const DOCUMENTS: [&str; 3] = ["error", "document", "value"];

    /// The uses of a module by one above it: the user, the used and the line. The order is that of a root, the `lib.rs` of a crate
    /// or the `mod.rs` of a folder, whose modules have this path.
    fn climbs(root: &str, path: &str) -> Vec<[String; 3]> {
        let (folder, _) = root.rsplit_once('/').unwrap();
        let text = project::read(root).unwrap();
        let name = |line: &'_ str| Some(line.split_once("mod ")?.1.strip_suffix(';')?.to_owned());
        let modules: Vec<String> = text.lines().filter_map(name).collect();
        let place = |module: &str| modules.iter().position(|known| known == module);
        assert!(modules.len() > 3, "{root}: {modules:?}");

        let list = said(&format!("git ls-files {folder}")).unwrap();
        let mut climbs = Vec::new();
        for file in list.lines().filter(|file| *file != root && file.ends_with(".rs")) {
            let inner = file.strip_prefix(folder).unwrap().trim_start_matches('/');
            let module = inner.split(['/', '.']).next().unwrap();
            let starts = if inner.contains('/') { vec![path] } else { vec![path, "super::"] };
            let text = project::read(file).unwrap();
            let code = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
            for line in code.filter_map(|line| line.split("//").next()) {
                let rests = starts.iter().flat_map(|start| line.split(start).skip(1));
                for used in rests.filter_map(|rest| words(rest).next()) {
                    if place(used) > place(module) {
                        climbs.push([
                            module.into(),
                            used.into(),
                            format!("{file}: {}", line.trim()),
                        ]);
                    }
                }
            }
        }
        climbs
    }

    #[test]
    fn a_module_of_the_core_uses_only_those_above_it() {
        let mut climbs = climbs(&format!("{SOURCES}lib.rs"), "crate::");
        let is_layer = |module: &String| DOCUMENTS.contains(&module.as_str());
        climbs.retain(|[module, used, _]| !(is_layer(module) && is_layer(used)));
        assert!(climbs.is_empty(), "{climbs:#?}");
    }

    /// State, ledger, chain, bundler, service and lies, and what is inside each of them.
    #[test]
    fn a_module_of_the_pocket_service_uses_only_those_above_it() {
        let roots = [
            ("lib.rs", "crate::"),
            ("bundler/mod.rs", "crate::bundler::"),
            ("service/mod.rs", "crate::service::"),
            ("service/operations/mod.rs", "crate::service::operations::"),
            ("lie/mod.rs", "crate::lie::"),
        ];
        let climbs =
            roots.map(|(root, path)| climbs(&format!("crates/sendoff-sandbox/src/{root}"), path));
        assert!(climbs.concat().is_empty(), "{climbs:#?}");
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
