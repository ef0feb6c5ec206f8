//! Tables: the type by one run of their program, the value by one run for each member.
//!
//! In: tables whose names are resolved. Out: type terms ([`Infer::table`]), values ([`value`]). Absent: mistakes; a table
//! has no type error inside, as its members are built alike and the names of a column are elements of one set.

use super::infer::Infer;
use super::unify::{Term, Tid};
use crate::syntax::ast::{Code, Name, Table};
use crate::value::{SetRef, Value};
use std::borrow::Cow;

impl Infer<'_> {
    /// The type of a table.
    pub(super) fn table(&mut self, table: &Table) -> Tid {
        self.extension(table, 0, table.rows.sequence)
    }

    fn extension(&mut self, table: &Table, program: u16, sequence: bool) -> Tid {
        let member = self.member(table, program);
        if sequence { self.terms.seq(member) } else { self.terms.pow(member) }
    }

    /// The type of what a program builds; unknown if nothing was built.
    fn member(&mut self, table: &Table, program: u16) -> Tid {
        let mut stack: Vec<Tid> = Vec::new();
        for code in table.rows.program(program) {
            let ty = match *code {
                Code::Int => self.terms.add(Term::Int),
                Code::Bool => self.terms.add(Term::Bool),
                Code::Str => self.terms.add(Term::Str),
                Code::Name(column) => match table.set_of(column) {
                    Some(set) => self.terms.add(Term::Given(set)),
                    None => self.terms.var(),
                },
                Code::Pair => {
                    let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else { break };
                    self.terms.pair(left, right)
                }
                Code::Fields(_) => continue,
                Code::Record(record) => {
                    let names = table.rows.fields(record);
                    let types = stack.split_off(stack.len().saturating_sub(names.len()));
                    let mut fields: Vec<(Name, Tid)> = names.iter().cloned().zip(types).collect();
                    fields.sort_by(|a, b| a.0.cmp(&b.0));
                    self.terms.add(Term::Rec(fields))
                }
                Code::Set(inner) => self.extension(table, inner, false),
                Code::Sequence(inner) => self.extension(table, inner, true),
            };
            stack.push(ty);
        }
        stack.pop().unwrap_or_else(|| self.terms.var())
    }
}

/// The value of a table.
pub(super) fn value(table: &Table) -> Value {
    let rows = &*table.rows;
    let mut build = Build {
        table,
        orders: rows.records.iter().map(|fields| order(fields)).collect(),
        strings: rows.strings.iter().map(|s| Value::Str(s.clone())).collect(),
        words: &rows.words,
        stack: Vec::new(),
    };
    if rows.sequence || !build.is_flat() {
        return build.extension(0, rows.len, rows.sequence);
    }
    let words = build.ranked();
    Value::Set(SetRef::from_sorted(build.sorted(&words, rows.words.len() / rows.len.max(1))))
}

/// The places of fields, in the order of their names.
fn order(fields: &[Name]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fields.len()).collect();
    order.sort_by_key(|at| fields.get(*at));
    order
}

struct Build<'t> {
    table: &'t Table,
    orders: Vec<Vec<usize>>,
    strings: Vec<Value>,
    /// What is still to be read.
    words: &'t [i64],
    stack: Vec<Value>,
}

impl<'t> Build<'t> {
    /// Whether members are pairs of numbers, truths and elements: then their order is that of their words.
    fn is_flat(&self) -> bool {
        let flat = |code: &Code| matches!(code, Code::Int | Code::Bool | Code::Name(_) | Code::Pair);
        self.table.rows.program(0).iter().all(flat)
    }

    /// The words of a flat table with the number of an element in place of its name's.
    fn ranked(&self) -> Cow<'t, [i64]> {
        let rows = &*self.table.rows;
        if rows.names.is_empty() {
            return Cow::Borrowed(&rows.words);
        }
        let reads: Vec<Code> = rows.program(0).iter().copied().filter(|code| *code != Code::Pair).collect();
        let mut words = rows.words.clone();
        for row in words.chunks_mut(reads.len().max(1)) {
            for (word, code) in row.iter_mut().zip(&reads) {
                if let Code::Name(_) = code {
                    *word = self.element(*word).map_or(0, |(_, i)| i64::from(i));
                }
            }
        }
        Cow::Owned(words)
    }

    fn element(&self, name: i64) -> Option<(crate::ty::SetId, u32)> {
        self.table.elements.get(usize::try_from(name).ok()?).copied()
    }

    /// The members of a flat table in order, each once; a row is so many words.
    fn sorted(&mut self, words: &[i64], width: usize) -> Vec<Value> {
        let mut rows: Vec<&[i64]> = words.chunks(width.max(1)).collect();
        if !rows.is_sorted_by(|a, b| a < b) {
            // Data often come in runs that are sorted: this sort looks for them.
            rows.sort();
            rows.dedup();
        }
        rows.into_iter().map(|row| self.flat(row)).collect()
    }

    /// A member of a flat table whose words are ranked.
    fn flat(&mut self, row: &[i64]) -> Value {
        let mut words = row.iter().copied();
        for code in self.table.rows.program(0) {
            let value = match *code {
                Code::Pair => self.pair(),
                Code::Bool => Value::Bool(words.next() == Some(1)),
                Code::Name(column) => match self.table.set_of(column) {
                    Some(set) => {
                        Value::Elem(set, words.next().and_then(|i| u32::try_from(i).ok()).unwrap_or(0))
                    }
                    None => Value::empty(),
                },
                _ => Value::Int(words.next().unwrap_or(0)),
            };
            self.stack.push(value);
        }
        self.stack.pop().unwrap_or_else(Value::empty)
    }

    fn word(&mut self) -> i64 {
        let Some((first, rest)) = self.words.split_first() else { return 0 };
        self.words = rest;
        *first
    }

    fn pair(&mut self) -> Value {
        match (self.stack.pop(), self.stack.pop()) {
            (Some(right), Some(left)) => Value::pair(left, right),
            _ => Value::empty(),
        }
    }

    fn extension(&mut self, program: u16, len: usize, sequence: bool) -> Value {
        let members = (0..len).map(|_| self.member(program));
        if sequence {
            let pairs = (1..).zip(members).map(|(i, v)| Value::pair(Value::Int(i), v)).collect();
            Value::Set(SetRef::from_sorted(pairs))
        } else {
            Value::Set(SetRef::from_vec(members.collect()))
        }
    }

    fn member(&mut self, program: u16) -> Value {
        for code in self.table.rows.program(program) {
            let value = match *code {
                Code::Int => Value::Int(self.word()),
                Code::Bool => Value::Bool(self.word() == 1),
                Code::Str => {
                    let at = usize::try_from(self.word()).unwrap_or(usize::MAX);
                    self.strings.get(at).cloned().unwrap_or_else(Value::empty)
                }
                Code::Name(_) => {
                    let name = self.word();
                    self.element(name).map_or_else(Value::empty, |(set, i)| Value::Elem(set, i))
                }
                Code::Pair => self.pair(),
                Code::Fields(_) => continue,
                Code::Record(record) => self.record(record),
                Code::Set(inner) | Code::Sequence(inner) => {
                    let len = usize::try_from(self.word()).unwrap_or(0);
                    self.extension(inner, len, matches!(code, Code::Sequence(_)))
                }
            };
            self.stack.push(value);
        }
        self.stack.pop().unwrap_or_else(Value::empty)
    }

    fn record(&mut self, record: u16) -> Value {
        let order = self.orders.get(usize::from(record)).map_or(&[][..], Vec::as_slice);
        let from = self.stack.len().saturating_sub(order.len());
        let fields = self.stack.split_off(from);
        Value::Rec(order.iter().filter_map(|at| fields.get(*at).cloned()).collect())
    }
}
