//! Definitions of the command line.
//!
//! In: texts `NAME=E` or `NAME(x)=E`. Out: definitions that count instead of those of their names, in each machine and
//! definition file that has one. What no machine has is a mistake: nothing would come of it.

use super::definitions::{Def, Definitions};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::source::{Replacement, Sources};
use crate::syntax::ast::{ClauseKind, Definition};
use crate::syntax::parse_definitions;

/// The option, for messages.
const OPTION: &str = "-D";

/// A definition of the command line.
#[derive(Debug)]
pub(super) struct Given {
    def: Def,
    needed: bool,
    used: bool,
}

/// All of them.
pub(super) fn all(sources: &mut Sources, errors: &mut Vec<Diagnostic>) -> Vec<Given> {
    let texts = sources.replacements.clone();
    texts
        .iter()
        .filter_map(|replacement| read(replacement, sources).map_err(|e| errors.extend(e)).ok())
        .collect()
}

fn read(replacement: &Replacement, sources: &mut Sources) -> Result<Given, Vec<Diagnostic>> {
    let Replacement { text, needed } = replacement;
    let refused = |what: &str| {
        let text = format!("`{OPTION} {text}` {what}: write `{OPTION} NAME=E`");
        vec![Diagnostic::without_place(Code::BadOption, text)]
    };
    let (name, body) = text.split_once('=').ok_or_else(|| refused("has no `=`"))?;
    let clause = format!("DEFINITIONS {} == {}", name.trim(), body.trim_start_matches('=').trim());
    let file = sources.add(OPTION, clause.clone());
    let (machine, errors) = parse_definitions(file, &clause);
    if !errors.is_empty() {
        return Err(errors);
    }
    let clauses = machine.into_iter().flat_map(|m| m.clauses);
    let mut definitions = clauses.flat_map(|c| match c.kind {
        ClauseKind::Definitions(all) => all,
        _ => Vec::new(),
    });
    match (definitions.next(), definitions.next()) {
        (Some(Definition::Body { name, params, body }), None) => {
            Ok(Given { def: Def { name, params, body }, needed: *needed, used: false })
        }
        _ => Err(refused("is not one definition")),
    }
}

impl Given {
    /// Counts instead of the definition of its name, if there is one.
    pub(super) fn put_into(&mut self, definitions: &mut Definitions) {
        self.used |= definitions.replace(&self.def);
    }

    /// The mistake of having counted nowhere.
    pub(super) fn unused(&self, known: &[&str]) -> Option<Diagnostic> {
        let name = &self.def.name;
        (self.needed && !self.used).then(|| {
            let text = format!("no machine has a definition `{}` that `{OPTION}` could replace", name.name);
            let d = Diagnostic::error(Code::UnknownName, name.span, text);
            match suggest::nearest(&name.name, known.iter().copied()) {
                Some(near) => d.with_help(format!("did you mean `{near}`?")),
                None => d,
            }
        })
    }
}
