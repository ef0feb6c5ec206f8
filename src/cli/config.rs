//! `bsym.toml`: options of a folder.
//!
//! In: the arguments of the process, the nearest `bsym.toml` beside or above the machine that they name. Out: the command, with those options
//! of it that the command has and the user has not given. Options that say where an answer goes, and how it is written, are not
//! taken from there: who reads the answer asks for them.

use super::args::Cli;
use super::child::word;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::source::{FileId, Sources, Span};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory as _, FromArgMatches as _, Parser as _};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the file.
const NAME: &str = "bsym.toml";

/// The option by which it is left alone.
pub(super) const NO_CONFIG: &str = "no-config";

/// Options that are no matter of a folder.
const OF_THE_CALL: &[&str] = &["format", "trace-out", "out", "one-of-them", "help", "watch", NO_CONFIG];

/// Options that are from a file.
pub(super) struct Added {
    path: PathBuf,
    words: Vec<OsString>,
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.words.iter().map(|w| w.to_string_lossy()).collect();
        write!(f, "`{}` gives the options {}", self.path.display(), words.join(" "))
    }
}

/// What is wrong with the file.
pub(super) struct Refused {
    /// The mistakes.
    pub errors: Vec<Diagnostic>,
    /// Its text.
    pub sources: Sources,
}

/// What keeps a command from being read.
pub(super) enum Unread {
    /// The arguments are wrong, or ask for help; options of a file may be among them.
    Usage(clap::Error, Option<Added>),
    /// The file is wrong.
    File(Refused),
}

/// The command, with what a file adds to it.
///
/// # Errors
/// There is none.
pub(super) fn read(arguments: Vec<OsString>) -> Result<(Cli, Option<Added>), Unread> {
    let mut all = Cli::command();
    let mut matches = all.try_get_matches_from_mut(&arguments).map_err(|e| Unread::Usage(e, None))?;
    let added = added(&all, &matches).map_err(Unread::File)?;
    let read = match (&added, matches.subcommand_name()) {
        (Some(added), Some(name)) => {
            // Behind the name of the command: what stands behind `--` is no option.
            let at = arguments.iter().position(|a| a == name).map_or(arguments.len(), |at| at + 1);
            let mut arguments = arguments;
            arguments.splice(at..at, added.words.iter().cloned());
            Cli::try_parse_from(arguments)
        }
        _ => Cli::from_arg_matches_mut(&mut matches).map_err(|e| e.format(&mut all)),
    };
    match read {
        Ok(cli) => Ok((cli, added)),
        Err(e) => Err(Unread::Usage(e, added)),
    }
}

/// The options of the folder that a command has and the user has not given.
fn added(all: &Command, matches: &ArgMatches) -> Result<Option<Added>, Refused> {
    let Some((name, given)) = matches.subcommand() else { return Ok(None) };
    let Some(command) = all.find_subcommand(name) else { return Ok(None) };
    let may_be_left_alone = given.try_get_one::<bool>("no_config");
    let is_taken = matches!(may_be_left_alone, Ok(Some(false)));
    let Some(path) = named(command, given).filter(|_| is_taken).and_then(|file| nearest(&file)) else {
        return Ok(None);
    };
    let words = File::read(&path, all).and_then(|file| file.words(command, given))?;
    Ok((!words.is_empty()).then_some(Added { path, words }))
}

/// The first file or folder among the arguments.
fn named(command: &Command, given: &ArgMatches) -> Option<PathBuf> {
    let positional = command.get_positionals().next()?;
    given.get_raw(positional.get_id().as_str())?.next().map(PathBuf::from)
}

/// The file beside a path, in it, or in the nearest folder above.
fn nearest(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    path.ancestors().map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

/// A file that was read.
struct File<'c> {
    all: &'c Command,
    folder: PathBuf,
    id: FileId,
    sources: Sources,
    /// Options for all commands.
    shared: BTreeMap<String, Setting>,
    /// Options for one.
    by_command: BTreeMap<String, BTreeMap<String, Setting>>,
}

/// The values of an option, with its place.
struct Setting {
    span: Span,
    values: Vec<Given>,
}

/// A value of an option.
enum Given {
    Flag(bool),
    Text(String),
}

impl<'c> File<'c> {
    fn read(path: &Path, all: &'c Command) -> Result<Self, Refused> {
        let mut sources = Sources::default();
        let id = match sources.read(path) {
            Ok(id) => id,
            Err(e) => {
                let text = format!("cannot read `{}`: {e}", path.display());
                let errors = vec![Diagnostic::without_place(Code::FileUnreadable, text)];
                return Err(Refused { errors, sources });
            }
        };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let mut file =
            Self { all, folder, id, sources, shared: BTreeMap::new(), by_command: BTreeMap::new() };
        let text = file.sources.get(id).map(|f| f.text.clone()).unwrap_or_default();
        let read = match DeTable::parse(&text) {
            Ok(table) => file.settings(table.get_ref()),
            Err(e) => Err(vec![file.wrong(&e.span().unwrap_or_default(), e.message())]),
        };
        match read {
            Ok(()) => Ok(file),
            Err(errors) => Err(Refused { errors, sources: file.sources }),
        }
    }

    fn wrong(&self, range: &std::ops::Range<usize>, text: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Code::BadOption, self.span(range), text)
    }

    fn span(&self, range: &std::ops::Range<usize>) -> Span {
        Span::new(self.id, range.start, range.end)
    }

    fn settings(&mut self, table: &DeTable<'_>) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        for (key, value) in table {
            let name: &str = key.get_ref();
            if let (Some(command), DeValue::Table(own)) = (self.all.find_subcommand(name), value.get_ref()) {
                let mut settings = BTreeMap::new();
                for (key, value) in own {
                    let known = option(command, key.get_ref()).is_some();
                    errors.extend(self.setting(key, value, known, &[command], &mut settings).err());
                }
                self.by_command.insert(name.to_owned(), settings);
            } else {
                let mut shared = std::mem::take(&mut self.shared);
                let commands: Vec<&Command> = self.all.get_subcommands().collect();
                let known = commands.iter().any(|c| option(c, name).is_some());
                errors.extend(self.setting(key, value, known, &commands, &mut shared).err());
                self.shared = shared;
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn setting(
        &self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        known: bool,
        commands: &[&Command],
        into: &mut BTreeMap<String, Setting>,
    ) -> Result<(), Diagnostic> {
        let name: &str = key.get_ref();
        if !known {
            let own = commands.iter().flat_map(|c| c.get_arguments()).filter_map(|a| a.get_long());
            let text = if OF_THE_CALL.contains(&name) {
                format!("`{name}` is asked for by who reads the answer, and has no default here")
            } else {
                format!("there is no option `--{name}` that could have a default")
            };
            let d = self.wrong(&key.span(), text);
            return Err(match suggest::nearest(name, own.filter(|o| !OF_THE_CALL.contains(o))) {
                Some(near) => d.with_help(format!("did you mean `{near}`?")),
                None => d,
            });
        }
        let values = values(value.get_ref()).ok_or_else(|| {
            self.wrong(
                &value.span(),
                "an option is a text, an integer, `true` or `false`, or a list or table of these",
            )
        })?;
        into.insert(name.to_owned(), Setting { span: self.span(&key.span()), values });
        Ok(())
    }

    /// The words that a command gets.
    fn words(self, command: &Command, given: &ArgMatches) -> Result<Vec<OsString>, Refused> {
        let mut all: BTreeMap<&str, &Setting> = self.shared.iter().map(|(k, v)| (&**k, v)).collect();
        let own = self.by_command.get(command.get_name());
        all.extend(own.into_iter().flatten().map(|(k, v)| (&**k, v)));
        let (mut words, mut errors) = (Vec::new(), Vec::new());
        for (name, setting) in all {
            let Some(arg) = option(command, name) else { continue };
            if given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine) {
                continue;
            }
            match self.option(arg, name, setting) {
                Ok(more) => words.extend(more),
                Err(e) => errors.push(e),
            }
        }
        if errors.is_empty() { Ok(words) } else { Err(Refused { errors, sources: self.sources }) }
    }

    fn option(&self, arg: &Arg, name: &str, setting: &Setting) -> Result<Vec<OsString>, Diagnostic> {
        let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let mut words = Vec::new();
        for value in &setting.values {
            match value {
                Given::Flag(on) if is_flag => words.extend(on.then(|| OsString::from(format!("--{name}")))),
                // A path is one from here.
                Given::Text(text) if is_path => {
                    words.push(word(&format!("--{name}"), self.folder.join(text).as_os_str()));
                }
                Given::Text(text) if !is_flag => words.push(word(&format!("--{name}"), text.as_ref())),
                Given::Flag(_) => {
                    let text = format!("`--{name}` has a value: `true` and `false` are none");
                    return Err(Diagnostic::error(Code::BadOption, setting.span, text));
                }
                Given::Text(_) => {
                    let text = format!("`--{name}` has no value: it is `true` or `false`");
                    return Err(Diagnostic::error(Code::BadOption, setting.span, text));
                }
            }
        }
        Ok(words)
    }
}

/// The option of a command that may have a default.
fn option<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let mut all = command.get_arguments();
    all.find(|a| a.get_long() == Some(name) && !a.is_hide_set() && !OF_THE_CALL.contains(&name))
}

/// What stands behind an option: a list is several of it, a table `NAME=VALUE,...`.
fn values(value: &DeValue<'_>) -> Option<Vec<Given>> {
    let one = |value: &DeValue<'_>| match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(n) => Some(n.to_string()),
        _ => None,
    };
    match value {
        DeValue::Boolean(on) => Some(vec![Given::Flag(*on)]),
        DeValue::Array(all) => all.iter().map(|v| one(v.get_ref()).map(Given::Text)).collect(),
        DeValue::Table(table) => {
            let part = |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                Some(format!("{}={}", key.get_ref(), one(value.get_ref())?))
            };
            let parts: Option<Vec<String>> = table.iter().map(part).collect();
            Some(vec![Given::Text(parts?.join(","))])
        }
        other => one(other).map(|text| vec![Given::Text(text)]),
    }
}
