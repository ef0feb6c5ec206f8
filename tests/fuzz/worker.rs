//! A process that tries inputs one after the other, and tells of each when it begins and how far it came.
//!
//! In: a range of numbers, by the environment. Out: lines on standard output (`fuzz begin 7`, `fuzz end 7 refused 12`, `fuzz wrong 7 panic ..`, `fuzz over`). A panic is
//! caught; a stack that overflows, memory that is refused and what does not end are for the parent to see. An input that the process did not
//! survive is looked at by another one, which only asks the program what it makes of it.

use super::checkpoints::Checkpoints;
use super::commands::Commands;
use super::formulas::Formulas;
use super::machines::Machines;
use super::program::Call;
use super::random::Random;
use super::shrink::shrunk;
use super::traces::Traces;
use super::{
    ADDRESS_SPACE, Input, KINDS, LIMIT_OF_PROGRAM, Subject, Tried, kind_of, limits, number, root, scratch,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The stack that the program has as well.
const STACK: usize = 1 << 30;

/// What takes longer is put to the program.
const SLOW: Duration = Duration::from_secs(3);

/// A system passes on arguments of 128 KiB.
const LONG: usize = 100_000;

/// What panics have said since the input began, also those of other threads.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What a worker has to do.
pub(crate) struct Task {
    pub(crate) seed: u64,
    pub(crate) first: u64,
    pub(crate) count: u64,
    /// Only asks the program, and writes the input.
    pub(crate) looks: bool,
}

impl Task {
    /// As the environment says it; `None` in a process that is no worker.
    pub(crate) fn given() -> Option<Self> {
        Some(Self {
            seed: number("BSYM_FUZZ_SEED")?,
            first: number("BSYM_FUZZ_FROM")?,
            count: number("BSYM_FUZZ_COUNT")?,
            looks: number("BSYM_FUZZ_LOOKS").is_some(),
        })
    }

    /// The same for another process.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![
            ("BSYM_FUZZ_SEED", self.seed.to_string()),
            ("BSYM_FUZZ_FROM", self.first.to_string()),
            ("BSYM_FUZZ_COUNT", self.count.to_string()),
        ];
        all.extend(self.looks.then(|| ("BSYM_FUZZ_LOOKS", "1".to_owned())));
        all
    }
}

/// Does the task with the stack and the memory that the program has.
pub(crate) fn work(task: Task) {
    let maximum = getrlimit(Resource::As).maximum;
    let _ = setrlimit(Resource::As, Rlimit { current: Some(ADDRESS_SPACE), maximum });
    // What a crash leaves would be large.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    std::panic::set_hook(Box::new(|about| {
        let text = about.payload_as_str().unwrap_or("?").to_owned();
        let at = about.location().map_or_else(String::new, |l| format!("{}:{}", l.file(), l.line()));
        PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(format!("panic at {at}: {text}"));
    }));
    let thread =
        std::thread::Builder::new().stack_size(STACK).spawn(move || Worker::new(task.seed).all(&task));
    thread.expect("a thread starts").join().expect("the worker's own code does not panic");
    let _ = std::fs::remove_dir_all(scratch());
}

struct Worker {
    seed: u64,
    subjects: Vec<Option<Box<dyn Subject>>>,
}

fn subject(kind: usize) -> Box<dyn Subject> {
    match KINDS[kind] {
        "machines" => Box::new(Machines::new()),
        "formulas" => Box::new(Formulas::new()),
        "traces" => Box::new(Traces::new()),
        "checkpoints" => Box::new(Checkpoints::new()),
        _ => Box::new(Commands::new()),
    }
}

/// What the processor has done for this thread; the time, where the system does not tell.
fn processor(since: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let told = text.split_whitespace().next().and_then(|n| n.parse().ok()).map(Duration::from_nanos);
    told.unwrap_or_else(|| since.elapsed())
}

fn on_one_line(text: &str) -> String {
    text.chars().take(1000).flat_map(char::escape_debug).collect()
}

impl Worker {
    fn new(seed: u64) -> Self {
        std::fs::create_dir_all(scratch()).expect("the folder is writable");
        Self { seed, subjects: KINDS.iter().map(|_| None).collect() }
    }

    fn input(&mut self, number: u64) -> (&mut dyn Subject, Input) {
        let kind = kind_of(number);
        let subject = self.subjects[kind].get_or_insert_with(|| subject(kind));
        let mut r = Random::of_input(self.seed, kind as u64, number);
        let input = subject.make(&mut r);
        (&mut **subject, input)
    }

    fn all(&mut self, task: &Task) {
        for number in task.first..task.first + task.count {
            if task.looks {
                self.look(number);
            } else {
                self.one(number);
            }
        }
        println!("fuzz over");
    }

    fn one(&mut self, number: u64) {
        println!("fuzz begin {number}");
        let (subject, input) = self.input(number);
        let (clock, begin) = (Instant::now(), processor(Instant::now()));
        let tried = tried(subject, &input);
        let took = processor(clock).saturating_sub(begin);
        if let Some(wrong) = tried.wrong {
            println!("fuzz wrong {number} {}", on_one_line(&wrong));
            return;
        }
        let ms = took.as_millis();
        let slow = if took > SLOW { "slow " } else { "" };
        println!("fuzz end {number} {ms} {slow}{}", tried.came);
    }

    /// Writes an input, also as small as it fails, and says what the program makes of it.
    fn look(&mut self, number: u64) {
        let kind = KINDS[kind_of(number)];
        let (subject, mut input) = self.input(number);
        let name = subject.file(&input).file_name().unwrap_or_default().to_owned();
        let folder = super::found().join(format!("{kind}-{number}"));
        std::fs::create_dir_all(&folder).expect("the folder is writable");
        let file = folder.join(name);
        std::fs::write(&file, &input.text).expect("the folder is writable");
        println!("fuzz file {}", file.display());
        match asked(kind, subject, &input, file.clone()).map(|call| call.judged()) {
            Some(Ok(code)) => println!("fuzz program ends with {code}"),
            Some(Err(wrong)) => println!("fuzz program wrong {}", on_one_line(&wrong)),
            None => {}
        }
        if std::env::var_os("BSYM_SHRINK").is_none() {
            return;
        }
        let Some(wrong) = tried(subject, &input).wrong else { return };
        let place = |text: &str| text.split(": ").next().unwrap_or_default().to_owned();
        let whole = input.text.clone();
        let small = shrunk(&whole, &mut |text| {
            input.text = text.to_vec();
            tried(subject, &input).wrong.is_some_and(|w| place(&w) == place(&wrong))
        });
        let file = file.with_extension("small");
        std::fs::write(&file, small).expect("the folder is writable");
        println!("fuzz file {}", file.display());
    }
}

/// Runs an input; a panic is something wrong.
fn tried(subject: &mut dyn Subject, input: &Input) -> Tried {
    PANICS.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let tried = catch_unwind(AssertUnwindSafe(|| subject.run(input)));
    let panics = std::mem::take(&mut *PANICS.lock().unwrap_or_else(PoisonError::into_inner));
    match (panics.into_iter().next(), tried) {
        (Some(panic), _) => Tried::wrong(panic),
        (None, Ok(tried)) => tried,
        (None, Err(_)) => Tried::wrong("panic at ?".to_owned()),
    }
}

/// How the program is asked of an input that is run by the library.
fn asked(kind: &str, subject: &dyn Subject, input: &Input, file: PathBuf) -> Option<Call> {
    let mut arguments = vec![OsString::from("check")];
    match kind {
        "machines" => {
            let folder = subject.file(input).parent().map(PathBuf::from).unwrap_or_default();
            arguments.extend([file.into(), "-I".into(), folder.into()]);
        }
        "formulas" => {
            let machine = subject.about(input)?;
            if input.text.len() > LONG {
                let file = file.with_file_name(machine.file_name()?);
                stated(&machine, &input.text, &file).ok()?;
                arguments.push(file.into());
            } else {
                let formula = [b"--ltl=".as_slice(), &input.text].concat();
                arguments.extend([machine.into(), OsString::from_vec(formula)]);
            }
        }
        _ => return None,
    }
    arguments.extend(limits(true));
    Some(Call { arguments, folder: root(), limit: Some(LIMIT_OF_PROGRAM) })
}

/// Writes a machine that states a formula.
fn stated(machine: &Path, formula: &[u8], file: &Path) -> std::io::Result<()> {
    let text = std::fs::read_to_string(machine)?;
    let formula = String::from_utf8_lossy(formula).replace('"', "'");
    let clause = format!("DEFINITIONS ASSERT_LTL_changed == \"{formula}\"; ");
    std::fs::write(file, text.replacen("DEFINITIONS", &clause, 1))
}
