//! What an addon is by its file: for which machine, what it takes from the system, and what Node
//! finds in it.

use std::{collections::BTreeSet, env, fs, path::Path};

use object::{
    Architecture, BinaryFormat, Endianness, Object as _, ObjectSection as _,
    macho::LC_CODE_SIGNATURE, read::macho::MachOFile64,
};

/// The function that Node looks for in an addon.
const REGISTERS: &str = "napi_register_module_v1";

/// The oldest macOS that Node 20 runs on for Intel's processors, and the first for Apple's.
const MACOS: u32 = 11;

/// A platform with an addon.
pub(crate) struct Platform<'t> {
    /// Rust's name of it.
    pub(crate) target: &'t str,
    /// The oldest glibc that the addon must load with.
    pub(crate) glibc: Option<&'t str>,
}

/// Looks into an addon, and returns a line about it.
pub(crate) fn check(platform: &Platform<'_>, addon: &Path) -> Result<String, String> {
    let bytes = fs::read(addon).map_err(|error| format!("{}: {error}", addon.display()))?;
    let library = Library::read(&bytes).map_err(|error| format!("{}: {error}", addon.display()))?;
    let mut wrong = library.differs(platform);
    let home = env::var("HOME").unwrap_or_default();
    let project = env::current_dir().map_err(|error| error.to_string())?;

    for place in [home.as_str(), &project.to_string_lossy()] {
        // `/root` is a word of others too.
        if place.len() > 6 && bytes.windows(place.len()).any(|window| window == place.as_bytes()) {
            wrong.push(format!("it tells where it was built: {place}"));
        }
    }

    if wrong.is_empty() {
        let libraries: Vec<_> = library.libraries.into_iter().collect();
        Ok(format!("{} bytes, takes {} of {}", bytes.len(), library.needs, libraries.join(", ")))
    } else {
        Err(format!("{}:\n  {}", addon.display(), wrong.join("\n  ")))
    }
}

/// What the file of a library says of it.
struct Library {
    format: BinaryFormat,
    architecture: Architecture,
    exports: BTreeSet<String>,
    libraries: BTreeSet<String>,
    /// The oldest system that it loads on, as the file has it.
    needs: String,
    /// Whether it has the signature without which Apple's processors run nothing.
    is_signed: bool,
}

impl Library {
    fn read(bytes: &[u8]) -> Result<Self, object::Error> {
        let file = object::File::parse(bytes)?;
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let exports = file
            .exports()?
            .iter()
            .map(|export| text(export.name()).trim_start_matches('_').to_owned())
            .collect();

        let mut library = Self {
            format: file.format(),
            architecture: file.architecture(),
            exports,
            libraries: BTreeSet::new(),
            needs: "nothing".into(),
            is_signed: false,
        };
        match library.format {
            BinaryFormat::Elf => library.read_elf(&file)?,
            BinaryFormat::MachO => library.read_macho(bytes)?,
            _ => {
                library.libraries = file
                    .imports()?
                    .iter()
                    .map(|import| text(import.library()).to_lowercase())
                    .collect()
            }
        }

        Ok(library)
    }

    /// The names of libraries and of versions are those in the table of its dynamic names.
    fn read_elf(&mut self, file: &object::File<'_>) -> Result<(), object::Error> {
        let names = file
            .section_by_name(".dynstr")
            .map(|section| section.data())
            .transpose()?
            .unwrap_or_default();
        let names: Vec<_> = names
            .split(|byte| *byte == 0)
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();
        self.libraries = names.iter().filter(|name| name.contains(".so")).cloned().collect();
        let newest = names.iter().filter_map(|name| numbers(name.strip_prefix("GLIBC_")?)).max();
        if let Some(newest) = newest {
            self.needs = newest.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        }
        Ok(())
    }

    fn read_macho(&mut self, bytes: &[u8]) -> Result<(), object::Error> {
        let file = MachOFile64::<Endianness>::parse(bytes)?;
        let endian = file.endian();
        let mut commands = file.macho_load_commands()?;
        while let Some(command) = commands.next()? {
            if let Some(library) = command.dylib()? {
                let name = command.string(endian, library.dylib.name)?;
                self.libraries.insert(String::from_utf8_lossy(name).into_owned());
            }
            if let Some(version) = command.build_version()? {
                self.needs = (version.minos.get(endian) >> 16).to_string();
            }
            self.is_signed |= command.cmd() == LC_CODE_SIGNATURE;
        }
        Ok(())
    }

    /// What is not as on this platform.
    fn differs(&self, platform: &Platform<'_>) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut expect = |holds: bool, what: String| {
            if !holds {
                wrong.push(what);
            }
        };
        let target = platform.target;
        let architecture =
            if target.starts_with("x86_64") { Architecture::X86_64 } else { Architecture::Aarch64 };
        expect(
            self.architecture == architecture,
            format!("expected {architecture:?}, found {:?}", self.architecture),
        );

        let (format, known): (_, &[&str]) = if target.contains("apple") {
            (
                BinaryFormat::MachO,
                &[
                    "/usr/lib/libSystem.B.dylib",
                    "/usr/lib/libiconv.2.dylib",
                    "/usr/lib/libcharset.1.dylib",
                    "@rpath/sendoff.node",
                ],
            )
        } else if target.contains("windows") {
            (
                BinaryFormat::Pe,
                &["kernel32.dll", "ntdll.dll", "bcryptprimitives.dll", "api-ms-win-"],
            )
        } else if target.ends_with("musl") {
            (BinaryFormat::Elf, &["libc.so"])
        } else {
            (
                BinaryFormat::Elf,
                &["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux"],
            )
        };
        expect(self.format == format, format!("expected {format:?}, found {:?}", self.format));
        for library in &self.libraries {
            let is_known = known.iter().any(|known| library.starts_with(known));
            expect(is_known, format!("expected libraries of the system, found {library}"));
        }
        expect(
            self.exports.contains(REGISTERS),
            format!("expected the export `{REGISTERS}`, found none"),
        );
        expect(
            self.exports.len() <= 8,
            format!("expected what Node looks for, found {} exports", self.exports.len()),
        );

        if let Some(glibc) = platform.glibc {
            let is_old = numbers(&self.needs) <= numbers(glibc);
            expect(is_old, format!("expected glibc {glibc} or older, found {}", self.needs));
        }
        if format == BinaryFormat::MachO {
            let is_old = numbers(&self.needs).is_some_and(|version| version <= [MACOS].to_vec());
            expect(is_old, format!("expected macOS {MACOS} or older, found {}", self.needs));
            expect(
                self.is_signed || architecture == Architecture::X86_64,
                "expected a signature, found none".into(),
            );
        }
        wrong
    }
}

/// The numbers of a version.
fn numbers(version: &str) -> Option<Vec<u32>> {
    version.split('.').map(|number| number.parse().ok()).collect()
}
