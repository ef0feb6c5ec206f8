//! The native executor: word programs through Cranelift. The only unsafe code of the room.
//!
//! In: a [`Program`]. Out: a [`Native`] that runs it, with results equal to the portable executor's; or several, and a
//! [`Joint`] that runs them on many states without coming back for each. Sibling: `translate`, to Cranelift's IR.
//!
//! # Why this is sound
//! A program reads memory in three ways only: words of the state, whose numbers, or the ends of ranges that an index is
//! clamped into, are checked against the state's length before the call; a stack slot, indexed by a number that is
//! clamped below its length; the sink. It writes memory in three ways: that stack slot; the sink; and the output, into
//! spare capacity of a vector whose end stands in the sink and is compared before every record: where there is too
//! little, the run ends, nobody takes what it wrote, and it is begun again with more. Changes of a record are to words that the
//! same block has just emitted: an index is clamped into their number, which is compared while compiling. It calls nothing, so that all
//! that it works with stays in registers. A function of several programs writes the numbers of records, too: one for
//! each program of each state from the first address to the second, which is what there is room for. The function
//! pointer is called with the signature it was compiled for, while the module that owns its memory is alive (it is
//! owned by the same struct). Divisors are replaced by 1 where they are 0, so nothing traps.
#![allow(unsafe_code, reason = "calling compiled code; see the argument above")]

mod translate;

use super::word::{Ins, Program, Ran};
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::mem::ManuallyDrop;

/// Where emitted words go: the spare capacity of `out`.
#[repr(C)]
struct Sink {
    /// Where the next word goes.
    next: *mut u64,
    /// The end of the spare capacity.
    end: *mut u64,
    /// Whether several states were not gone through since that is too little.
    full: u64,
}

/// Words of spare capacity that there are at least where there was too little.
pub(super) const ROOM: usize = 4096;

/// Instructions that are worth compiling together.
const MOST: usize = 20_000;

/// What a function of one program returns that has no room for a record: after false, true and the common way to give up.
const FULL: u64 = 3;

/// What it returns that met misfit 0.
const MISFIT: u64 = 4;

type Entry = extern "C" fn(*const u64, *mut Sink) -> u64;

type JointEntry = extern "C" fn(*const u64, *const u64, *mut Sink, *mut u32) -> *const u64;

/// Compiled code.
struct Code {
    module: ManuallyDrop<JITModule>,
    address: *const u8,
    /// Least length of a state.
    width: usize,
}

// SAFETY: after construction the module is only kept alive, never used; the code itself has no state.
unsafe impl Send for Code {}
// SAFETY: as above; the code is only called.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: taken once, here; the address dies with its owner and no call is running, since calls borrow that.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() }
    }
}

impl Code {
    /// Compiles a function with `N` parameters and a result, all of them words; `None` if Cranelift refuses (no
    /// native target, too large). `build` has the parameters, and returns the least length of a state.
    fn new<const N: usize>(
        build: impl FnOnce(&mut FunctionBuilder<'_>, [Value; N]) -> usize,
    ) -> Option<Self> {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut context = module.make_context();
        context.func.signature.params.extend([AbiParam::new(I64); N]);
        context.func.signature.returns.push(AbiParam::new(I64));
        let mut memory = FunctionBuilderContext::new();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut memory);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let params = builder.block_params(entry).try_into().ok()?;
        let width = build(&mut builder, params);
        builder.seal_all_blocks();
        builder.finalize(module.target_config());
        let id = module.declare_function("run", Linkage::Export, &context.func.signature).ok()?;
        module.define_function(id, &mut context).ok()?;
        module.clear_context(&mut context);
        module.finalize_definitions().ok()?;
        let address = module.get_finalized_function(id);
        Some(Self { module: ManuallyDrop::new(module), address, width })
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("width", &self.width).finish_non_exhaustive()
    }
}

/// A compiled program.
#[derive(Debug)]
pub(crate) struct Native {
    code: Code,
    entry: Entry,
}

/// Compiled programs that run on many states, each in turn.
#[derive(Debug)]
pub(crate) struct Joint {
    code: Code,
    entry: JointEntry,
    programs: usize,
    /// Words of a state.
    words: usize,
}

impl Sink {
    /// For a vector that is borrowed for as long as the sink is used.
    fn new(out: &mut Vec<u64>) -> Self {
        let spare = out.spare_capacity_mut().as_mut_ptr_range();
        Self { next: spare.start.cast(), end: spare.end.cast(), full: 0 }
    }

    /// The sink of the same vector with twice the room; what was not taken is gone.
    fn with_more(out: &mut Vec<u64>) -> Self {
        let spare = out.capacity() - out.len();
        out.reserve((spare * 2).max(ROOM));
        Self::new(out)
    }

    /// Takes what was written into the vector.
    fn settle(&self, out: &mut Vec<u64>) {
        // SAFETY: both pointers are into the vector's allocation, `next` not before its start.
        let len = unsafe { self.next.offset_from(out.as_ptr()) };
        // SAFETY: compiled code has written all words up to `next`, which is within the capacity.
        unsafe { out.set_len(usize::try_from(len).unwrap_or(0)) }
    }
}

impl Native {
    /// Compiles a program, if Cranelift can.
    pub(crate) fn new(p: &Program) -> Option<Native> {
        let code = Code::new(|b, params| translate::single(b, params, p))?;
        // SAFETY: the code was compiled for this signature: two pointers in, one word out, C convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code.address) };
        Some(Native { code, entry })
    }

    /// Runs on a state; appends what the program emits to `out`.
    pub(crate) fn run(&self, state: &[u64], out: &mut Vec<u64>) -> Ran {
        if state.len() < self.code.width {
            return Ran::Bailed;
        }
        let mut sink = Sink::new(out);
        let mut ran = (self.entry)(state.as_ptr(), &raw mut sink);
        while ran == FULL {
            sink = Sink::with_more(out);
            ran = (self.entry)(state.as_ptr(), &raw mut sink);
        }
        sink.settle(out);
        match ran {
            0 => Ran::Done(false),
            1 => Ran::Done(true),
            n => n.checked_sub(MISFIT).and_then(|n| u32::try_from(n).ok()).map_or(Ran::Bailed, Ran::Misfit),
        }
    }
}

impl Joint {
    /// Compiles programs for states of `words` words that emit such states, if they do and Cranelift can.
    pub(crate) fn new(programs: &[&Program], words: usize) -> Option<Joint> {
        let ins = || programs.iter().flat_map(|p| &p.blocks).flat_map(|b| &b.0);
        let fits = |i: &Ins| !matches!(i, Ins::Emit(record) if record.len() != words);
        if words == 0 || ins().count() > MOST || !ins().all(fits) {
            return None;
        }
        let code = Code::new(|b, params| translate::joint(b, params, programs, words))?;
        // SAFETY: the code was compiled for this signature: four pointers in, one out, C convention.
        let entry = unsafe { std::mem::transmute::<*const u8, JointEntry>(code.address) };
        Some(Joint { code, entry, programs: programs.len(), words })
    }

    /// Runs on states one after the other until a program gives up; appends what the programs emit to `out`, and to
    /// `ends` for every state and program how many records of the state there are so far. Returns the number of
    /// states before the one at which a program gave up: as if the others had not been there.
    pub(crate) fn run(&self, states: &[u64], out: &mut Vec<u64>, ends: &mut Vec<u32>) -> usize {
        let count = if self.code.width > self.words { 0 } else { states.len() / self.words };
        let Some(whole) = states.get(..count * self.words) else { return 0 };
        ends.reserve(count * self.programs);
        let mut sink = Sink::new(out);
        let mut done = 0;
        while let Some(rest) = whole.get(done * self.words..)
            && let Some(room) = ends.spare_capacity_mut().get_mut(done * self.programs..)
        {
            let rest = rest.as_ptr_range();
            let end = (self.entry)(rest.start, rest.end, &raw mut sink, room.as_mut_ptr().cast());
            sink.settle(out);
            done += (end as usize - rest.start as usize) / size_of::<u64>() / self.words;
            if sink.full == 0 {
                break;
            }
            sink = Sink::with_more(out);
        }
        // SAFETY: compiled code has written a number for each program of each state that is done, and `end` is the address of
        // the state after these, so there are not more than was reserved.
        unsafe { ends.set_len(ends.len() + done * self.programs) };
        done
    }
}
