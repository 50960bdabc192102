//! The order of modules in the core and in the pocket service: each uses only those above it.

#[cfg(test)]
mod tests {
    use crate::{process::said, project};

    /// The sources of a crate, the root of modules in them, and the path of these modules. The root is the `lib.rs` of a crate or
    /// the `mod.rs` of a folder. In the pocket service these are state, ledger, chain, bundler, service and lies, and what is inside
    /// each of them.
    const ROOTS: [(&str, &str, &str); 8] = [
        ("sendoff", "lib.rs", "crate::"),
        ("sendoff", "estimate/mod.rs", "crate::estimate::"),
        ("sendoff", "intent/mod.rs", "crate::intent::"),
        ("sendoff-sandbox", "lib.rs", "crate::"),
        ("sendoff-sandbox", "bundler/mod.rs", "crate::bundler::"),
        ("sendoff-sandbox", "service/mod.rs", "crate::service::"),
        ("sendoff-sandbox", "service/operations/mod.rs", "crate::service::operations::"),
        ("sendoff-sandbox", "lie/mod.rs", "crate::lie::"),
    ];

    /// One layer: a problem is a document, and the values of a document are typed values.
    const DOCUMENTS: [&str; 3] = ["error", "document", "value"];

    /// The code of a file, without comments and its tests.
    fn code(file: &str) -> String {
        let text = project::read(file).unwrap();
        let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        lines.filter_map(|line| line.split("//").next()).collect::<Vec<_>>().join("\n")
    }

    /// The words of a text: names of modules and of their items.
    fn words(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|c: char| c != '_' && !c.is_alphanumeric());
        words.filter(|word| !word.is_empty())
    }

    #[test]
    fn a_module_uses_only_those_above_it() {
        for (package, root, path) in ROOTS {
            let root = format!("crates/{package}/src/{root}");
            let climbs = climbs(&root, path);
            assert!(climbs.is_empty(), "{climbs:#?}");
        }
    }

    /// The uses of a module by one above it: the user, and the use.
    fn climbs(root: &str, path: &str) -> Vec<String> {
        let (folder, _) = root.rsplit_once('/').unwrap();
        let text = code(root);
        let name = |line: &'_ str| Some(line.split_once("mod ")?.1.strip_suffix(';')?.to_owned());
        let modules: Vec<String> = text.lines().filter_map(name).collect();
        assert!(modules.len() > 3, "{root}: {modules:?}");
        let place = |module: &str| modules.iter().position(|known| known == module);
        // The module of an item that the folder exports.
        let lists = text.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
        let exported: Vec<Vec<_>> = lists.map(|list| words(list).collect()).collect();
        let home = |item: &str| {
            let mut lists = exported.iter().filter(|list| list.iter().skip(1).any(|w| *w == item));
            lists.find_map(|list| place(list.first()?))
        };
        let is_layer = |module: &str| path == "crate::" && DOCUMENTS.contains(&module);

        let list = said(&format!("git ls-files {folder}")).unwrap();
        let mut climbs = Vec::new();
        for file in list.lines().filter(|file| *file != root && file.ends_with(".rs")) {
            let inner = file.strip_prefix(folder).unwrap().trim_start_matches('/');
            let module = inner.split(['/', '.']).next().unwrap();
            let starts = if inner.contains('/') { vec![path] } else { vec![path, "super::"] };
            let text = code(file);
            for rest in starts.iter().flat_map(|start| text.split(start).skip(1)) {
                let list = rest.strip_prefix('{').and_then(|rest| rest.split(';').next());
                let all =
                    words(list.unwrap_or(rest)).take(if list.is_some() { usize::MAX } else { 1 });
                for used in all.filter(|used| !(is_layer(module) && is_layer(used))) {
                    if place(used).or_else(|| home(used)) > place(module) {
                        climbs.push(format!("{file}: {used}"));
                    }
                }
            }
        }
        climbs
    }
}
