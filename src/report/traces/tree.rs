//! Values between B text and JSON: what both can write.
//!
//! In: B text of a value, or ITF JSON. Out: a [`Tree`], and its canonical text, in which equal values of one type
//! are equal texts: sets sorted, sequences as functions, no parentheses around pairs, no quotes.

use serde_json::{Map, Value as Json, json};

/// A value without its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A number, a truth value, an element: a word.
    Word(String),
    /// A string.
    Str(String),
    /// A set.
    Set(Vec<Tree>),
    /// A pair.
    Pair(Box<(Tree, Tree)>),
    /// A sequence.
    Seq(Vec<Tree>),
    /// A record.
    Rec(Vec<(String, Tree)>),
    /// A constructor of a free type with its argument.
    App(String, Box<Tree>),
}

/// Reads the text of a value; `None` if it is no explicit value (an unbounded set, for instance).
#[must_use]
pub fn parse(text: &str) -> Option<Tree> {
    let mut p = Parser { chars: text.chars().collect(), at: 0 };
    let tree = p.pair()?;
    p.blank();
    (p.at == p.chars.len()).then_some(tree)
}

/// Text that is the same for equal values of one type.
#[must_use]
pub fn canonical(text: &str) -> String {
    parse(text).map_or_else(|| text.trim().to_owned(), |t| t.text())
}

/// Most members of an interval that are listed.
const WIDEST: i64 = 1 << 20;

struct Parser {
    chars: Vec<char>,
    at: usize,
}

impl Parser {
    fn blank(&mut self) {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    fn eat(&mut self, word: &str) -> bool {
        self.blank();
        let found = word.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c));
        self.at += if found { word.chars().count() } else { 0 };
        found
    }

    /// Pairs associate to the left.
    fn pair(&mut self) -> Option<Tree> {
        let mut left = self.interval()?;
        while self.eat("|->") || self.eat("\u{21a6}") {
            left = Tree::Pair(Box::new((left, self.interval()?)));
        }
        Some(left)
    }

    /// An interval is the set of its members.
    fn interval(&mut self) -> Option<Tree> {
        let first = self.single()?;
        if !self.eat("..") {
            return Some(first);
        }
        let (Tree::Word(first), Tree::Word(last)) = (first, self.single()?) else { return None };
        let (first, last): (i64, i64) = (first.parse().ok()?, last.parse().ok()?);
        let few = last.checked_sub(first)? < WIDEST;
        few.then(|| Tree::Set((first..=last).map(|n| Tree::Word(n.to_string())).collect()))
    }

    fn list(&mut self, end: &str) -> Option<Vec<Tree>> {
        let mut out = Vec::new();
        if self.eat(end) {
            return Some(out);
        }
        loop {
            out.push(self.pair()?);
            if self.eat(end) {
                return Some(out);
            }
            if !self.eat(",") {
                return None;
            }
        }
    }

    fn single(&mut self) -> Option<Tree> {
        if self.eat("{") {
            return self.list("}").map(Tree::Set);
        }
        if self.eat("\u{2205}") {
            return Some(Tree::Set(Vec::new()));
        }
        if self.eat("[") {
            return self.list("]").map(Tree::Seq);
        }
        if self.eat("(") {
            // ProB also writes pairs with commas inside parentheses.
            let items = self.list(")")?;
            return items.into_iter().reduce(|a, b| Tree::Pair(Box::new((a, b))));
        }
        if self.eat("\"") {
            return self.string();
        }
        self.blank();
        let from = self.at;
        let negative = self.eat("-") || self.eat("\u{2212}");
        while self.chars.get(self.at).is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) {
            self.at += 1;
        }
        if self.chars.get(self.at) == Some(&'.')
            && self.chars.get(self.at + 1).is_some_and(char::is_ascii_digit)
        {
            self.at += 1;
            while self.chars.get(self.at).is_some_and(|c| c.is_ascii_digit() || *c == 'e') {
                self.at += 1;
            }
        }
        let word: String = self.chars.get(from..self.at)?.iter().collect();
        match word.as_str() {
            "" | "-" => None,
            "rec" if self.eat("(") => self.record(),
            _ if !negative && self.eat("(") => {
                let argument = self.list(")")?.into_iter().reduce(|a, b| Tree::Pair(Box::new((a, b))))?;
                Some(Tree::App(word, Box::new(argument)))
            }
            _ => Some(Tree::Word(word.replace('\u{2212}', "-"))),
        }
    }

    fn string(&mut self) -> Option<Tree> {
        let mut out = String::new();
        loop {
            let c = *self.chars.get(self.at)?;
            self.at += 1;
            match c {
                '"' => return Some(Tree::Str(out)),
                '\\' => {
                    let next = *self.chars.get(self.at)?;
                    self.at += 1;
                    out.push(match next {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        other => other,
                    });
                }
                other => out.push(other),
            }
        }
    }

    fn record(&mut self) -> Option<Tree> {
        let mut fields = Vec::new();
        loop {
            let Tree::Word(name) = self.single()? else { return None };
            if !self.eat(":") {
                return None;
            }
            fields.push((name, self.pair()?));
            if self.eat(")") {
                return Some(Tree::Rec(fields));
            }
            if !self.eat(",") {
                return None;
            }
        }
    }
}

impl Tree {
    /// The canonical text.
    #[must_use]
    pub fn text(&self) -> String {
        self.write(&str::to_owned)
    }

    /// Text that [`parse`] reads back as an equal value, whatever stands in its strings.
    #[must_use]
    pub fn readable(&self) -> String {
        self.write(&|s| {
            let escaped: Vec<String> = s
                .chars()
                .map(|c| match c {
                    '"' | '\\' => format!("\\{c}"),
                    '\n' => "\\n".to_owned(),
                    '\t' => "\\t".to_owned(),
                    '\r' => "\\r".to_owned(),
                    other => other.to_string(),
                })
                .collect();
            format!("\"{}\"", escaped.concat())
        })
    }

    fn write(&self, string: &dyn Fn(&str) -> String) -> String {
        match self {
            Tree::Word(w) => w.clone(),
            Tree::Str(s) => string(s),
            Tree::Pair(x) => format!("({}|->{})", x.0.write(string), x.1.write(string)),
            Tree::Set(items) => set(items.iter().map(|x| x.write(string)).collect()),
            Tree::Seq(items) => {
                let pair = |(i, x): (usize, &Tree)| format!("({}|->{})", i + 1, x.write(string));
                set(items.iter().enumerate().map(pair).collect())
            }
            Tree::Rec(fields) => {
                let mut all: Vec<String> =
                    fields.iter().map(|(n, v)| format!("{n}:{}", v.write(string))).collect();
                all.sort();
                format!("rec({})", all.join(","))
            }
            Tree::App(name, x) => format!("{name}({})", x.write(string)),
        }
    }

    /// As ITF; functions, where `functions` says so at the top, as maps.
    #[must_use]
    pub fn itf(&self, functions: bool) -> Json {
        match self {
            Tree::Word(w) if w == "TRUE" => Json::Bool(true),
            Tree::Word(w) if w == "FALSE" => Json::Bool(false),
            Tree::Word(w) if is_integer(w) => json!({"#bigint": w}),
            Tree::Word(w) | Tree::Str(w) => Json::String(w.clone()),
            Tree::Pair(x) => json!({"#tup": [x.0.itf(false), x.1.itf(false)]}),
            Tree::Set(items) if functions => {
                let pair = |t: &Tree| match t {
                    Tree::Pair(x) => Some(json!([x.0.itf(false), x.1.itf(false)])),
                    _ => None,
                };
                json!({"#map": items.iter().filter_map(pair).collect::<Vec<_>>()})
            }
            Tree::Set(items) => json!({"#set": items.iter().map(|t| t.itf(false)).collect::<Vec<_>>()}),
            Tree::Seq(items) => Json::Array(items.iter().map(|t| t.itf(false)).collect()),
            Tree::Rec(fields) => {
                Json::Object(fields.iter().map(|(n, v)| (n.clone(), v.itf(false))).collect::<Map<_, _>>())
            }
            Tree::App(name, x) => json!({"tag": name, "value": x.itf(false)}),
        }
    }

    /// Whether this is a set of pairs with distinct left sides.
    #[must_use]
    pub fn is_function(&self) -> bool {
        let Tree::Set(items) = self else { return false };
        let mut seen = std::collections::BTreeSet::new();
        items.iter().all(|t| matches!(t, Tree::Pair(x) if seen.insert(x.0.text())))
    }

    /// Reads ITF JSON.
    #[must_use]
    pub fn of_itf(json: &Json) -> Option<Tree> {
        let list = |v: &Json| v.as_array()?.iter().map(Tree::of_itf).collect::<Option<Vec<_>>>();
        match json {
            Json::Bool(b) => Some(Tree::Word(if *b { "TRUE" } else { "FALSE" }.to_owned())),
            Json::Number(n) => Some(Tree::Word(n.to_string())),
            Json::String(s) => Some(Tree::Str(s.clone())),
            Json::Array(_) => list(json).map(Tree::Seq),
            Json::Object(o) => {
                if let Some(n) = o.get("#bigint") {
                    return n.as_str().map(|s| Tree::Word(s.to_owned()));
                }
                if let Some(items) = o.get("#set") {
                    return list(items).map(Tree::Set);
                }
                if let Some(items) = o.get("#tup") {
                    return list(items)?.into_iter().reduce(|a, b| Tree::Pair(Box::new((a, b))));
                }
                if let Some(entries) = o.get("#map") {
                    let entries = entries.as_array()?.iter();
                    let pair = |e: &Json| match list(e)?.as_slice() {
                        [k, v] => Some(Tree::Pair(Box::new((k.clone(), v.clone())))),
                        _ => None,
                    };
                    return entries.map(pair).collect::<Option<Vec<_>>>().map(Tree::Set);
                }
                if let (2, Some(Json::String(tag)), Some(value)) = (o.len(), o.get("tag"), o.get("value")) {
                    return Some(Tree::App(tag.clone(), Box::new(Tree::of_itf(value)?)));
                }
                let fields = o.iter().map(|(n, v)| Some((n.clone(), Tree::of_itf(v)?)));
                fields.collect::<Option<Vec<_>>>().map(Tree::Rec)
            }
            Json::Null => None,
        }
    }
}

fn set(mut items: Vec<String>) -> String {
    items.sort();
    items.dedup();
    format!("{{{}}}", items.join(","))
}

fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_text() {
        for (a, b) in [
            ("{2,1}", "{ 1, 2 }"),
            ("[a,b]", "{(2|->b),(1|->a)}"),
            ("(1|->2)|->3", "((1|->2)|->3)"),
            ("rec(b:1,a:{})", "rec(a:{},b:1)"),
            ("{(P1|->-3)}", "{P1|->-3}"),
            ("{(1\u{21a6}\u{2205})}", "{1|->{}}"),
            ("{\u{2212}3}", "{-3}"),
            ("-1..2", "{-1,0,1,2}"),
            ("{1..2|->3}", "{({1,2}|->3)}"),
        ] {
            assert_eq!(canonical(a), canonical(b));
        }
        assert_ne!(canonical("{1}"), canonical("{{1}}"));
        assert_ne!(canonical("(1|->(2|->3))"), canonical("((1|->2)|->3)"));
    }

    /// Strings that would not be read without their quotes.
    const ODD: &str = r#"{rec(title:"café - \"two\", 3"),rec(title:"a  b")}"#;

    #[test]
    fn through_itf_and_back() {
        for text in
            ["{(P1|->{1,-2}),(P2|->{})}", "rec(a:TRUE,b:[\"x\",\"y z\"])", "node((1|->leaf))", "{}", ODD]
        {
            let tree = parse(text).expect("a value");
            let back = Tree::of_itf(&tree.itf(tree.is_function())).expect("ITF");
            assert_eq!(back.text(), tree.text());
            assert_eq!(canonical(&back.readable()), canonical(text));
        }
    }
}
