//! The native executor: word programs through Cranelift. The only unsafe code of the room.
//!
//! In: a [`Program`]. Out: a [`Native`] that runs it, with results equal to the portable executor's.
//!
//! # Why this is sound
//! A program reads memory in three ways only: words of the state, whose numbers, or the ends of ranges that an index
//! is clamped into, are checked against the state's length before the call; a stack slot, indexed by a number that
//! is clamped below its length; the sink. It writes memory in two ways: that stack slot, and the output, into spare
//! capacity of a vector whose bounds stand in the sink and are compared before every record; `grow` makes more of
//! it. The function pointer is called with the signature it was compiled for, while the module that owns its memory
//! is alive (it is owned by the same [`Native`]). Divisors are replaced by 1 where they are 0, so nothing traps.
#![allow(unsafe_code, reason = "calling compiled code; see the argument above")]

use super::word::{Bin, Checked, End, Ins, Opd, Program, Ran, Un};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, MemFlagsData, SigRef, Signature, StackSlotData, StackSlotKind, Value,
};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::ManuallyDrop;

/// Where emitted words go: the spare capacity of `out`.
#[repr(C)]
struct Sink {
    /// Where the next word goes.
    next: *mut u64,
    /// The end of the spare capacity.
    end: *mut u64,
    /// Makes room for so many words more and updates the two.
    grow: extern "C" fn(*mut Sink, u64),
    out: *mut Vec<u64>,
}

/// What a function returns that met misfit 0: after false, true and the common way to give up.
const MISFIT: u64 = 3;

type Entry = extern "C" fn(*const u64, *mut Sink) -> u64;

/// A compiled program.
pub(crate) struct Native {
    module: ManuallyDrop<JITModule>,
    entry: Entry,
    /// Least length of a state.
    width: usize,
}

// SAFETY: after construction the module is only kept alive, never used; the code itself has no state.
unsafe impl Send for Native {}
// SAFETY: as above; `run` takes `&self` and only calls the code.
unsafe impl Sync for Native {}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Native").field("width", &self.width).finish_non_exhaustive()
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // SAFETY: taken once, here; the entry pointer dies with `self` and no call is running, since `run`
        // borrows `self`.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() }
    }
}

extern "C" fn grow(sink: *mut Sink, words: u64) {
    // SAFETY: called by compiled code with the sink that `run` gave it, which is exclusively its own then.
    let sink = unsafe { &mut *sink };
    // SAFETY: `out` is the vector that `run` borrows mutably for the time of the call.
    let out = unsafe { &mut *sink.out };
    sink.settle(out);
    out.reserve(usize::try_from(words).unwrap_or(0).max(out.len()).max(256));
    sink.open(out);
}

impl Sink {
    /// Takes what was written into the vector.
    fn settle(&self, out: &mut Vec<u64>) {
        // SAFETY: both pointers are into the vector's allocation, `next` not before its start.
        let len = unsafe { self.next.offset_from(out.as_ptr()) };
        // SAFETY: compiled code has written all words up to `next`, which is within the capacity.
        unsafe { out.set_len(usize::try_from(len).unwrap_or(0)) }
    }

    /// Points to the spare capacity.
    fn open(&mut self, out: &mut Vec<u64>) {
        let spare = out.spare_capacity_mut().as_mut_ptr_range();
        self.next = spare.start.cast();
        self.end = spare.end.cast();
    }
}

impl Native {
    /// Compiles a program; `None` if Cranelift refuses (no native target, too large).
    pub(crate) fn new(p: &Program) -> Option<Native> {
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut context = module.make_context();
        context.func.signature.params.extend([AbiParam::new(I64), AbiParam::new(I64)]);
        context.func.signature.returns.push(AbiParam::new(I64));
        let mut grow_signature = module.make_signature();
        grow_signature.params.extend([AbiParam::new(I64), AbiParam::new(I64)]);
        let mut memory = FunctionBuilderContext::new();
        let b = FunctionBuilder::new(&mut context.func, &mut memory);
        let config = module.target_config();
        let width = Translate::whole(b, p, grow_signature, config);
        let id = module.declare_function("run", Linkage::Export, &context.func.signature).ok()?;
        module.define_function(id, &mut context).ok()?;
        module.clear_context(&mut context);
        module.finalize_definitions().ok()?;
        let code = module.get_finalized_function(id);
        // SAFETY: the code was compiled for this signature: two pointers in, one word out, C convention.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code) };
        Some(Native { module: ManuallyDrop::new(module), entry, width })
    }

    /// Runs on a state; appends what the program emits to `out`.
    pub(crate) fn run(&self, state: &[u64], out: &mut Vec<u64>) -> Ran {
        if state.len() < self.width {
            return Ran::Bailed;
        }
        let mut sink = Sink {
            next: std::ptr::null_mut(),
            end: std::ptr::null_mut(),
            grow,
            out: std::ptr::from_mut(out),
        };
        sink.open(out);
        let ran = (self.entry)(state.as_ptr(), &raw mut sink);
        sink.settle(out);
        match ran {
            0 => Ran::Done(false),
            1 => Ran::Done(true),
            n => n.checked_sub(MISFIT).and_then(|n| u32::try_from(n).ok()).map_or(Ran::Bailed, Ran::Misfit),
        }
    }
}

/// Translation of one program.
struct Translate<'a, 'b> {
    b: &'a mut FunctionBuilder<'b>,
    vars: BTreeMap<u32, Variable>,
    blocks: BTreeMap<u32, Block>,
    state: Value,
    sink: Value,
    next: Variable,
    grow: SigRef,
    bail: Block,
    width: usize,
}

/// The blocks that control can reach.
fn reachable(p: &Program) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![0];
    while let Some(n) = todo.pop() {
        if seen.insert(n) {
            match p.blocks.get(n as usize).map(|b| b.1) {
                Some(End::Jump(t)) => todo.push(t),
                Some(End::Branch(_, y, n)) => todo.extend([y, n]),
                _ => {}
            }
        }
    }
    seen
}

impl<'b> Translate<'_, 'b> {
    /// Emits the whole function; returns the least length of a state.
    fn whole(
        mut b: FunctionBuilder<'b>,
        p: &Program,
        grow: Signature,
        config: cranelift_codegen::isa::TargetFrontendConfig,
    ) -> usize {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let (state, sink) = (b.block_params(entry)[0], b.block_params(entry)[1]);
        let next = b.declare_var(I64);
        let first = b.ins().load(I64, MemFlagsData::trusted(), sink, 0);
        b.def_var(next, first);
        let grow = b.import_signature(grow);
        let order = reachable(p);
        let blocks: BTreeMap<u32, Block> = order.iter().map(|n| (*n, b.create_block())).collect();
        let bail = b.create_block();
        b.set_cold_block(bail);
        let mut t =
            Translate { b: &mut b, vars: BTreeMap::new(), blocks, state, sink, next, grow, bail, width: 0 };
        let start = t.block(0);
        t.b.ins().jump(start, &[]);
        for n in &order {
            if let Some((ins, end)) = p.blocks.get(*n as usize) {
                let here = t.block(*n);
                t.b.switch_to_block(here);
                for i in ins {
                    t.ins(i);
                }
                t.end(*end);
            }
        }
        t.b.switch_to_block(bail);
        t.leave(2);
        let width = t.width;
        b.seal_all_blocks();
        b.finalize(config);
        width
    }

    fn block(&self, n: u32) -> Block {
        self.blocks.get(&n).copied().unwrap_or(self.bail)
    }

    fn var(&mut self, r: u32) -> Variable {
        let b = &mut *self.b;
        *self.vars.entry(r).or_insert_with(|| b.declare_var(I64))
    }

    fn opd(&mut self, o: Opd) -> Value {
        match o {
            Opd::K(k) => self.literal(k),
            Opd::R(r) => {
                let v = self.var(r);
                self.b.use_var(v)
            }
        }
    }

    fn literal(&mut self, k: u64) -> Value {
        self.b.ins().iconst(I64, k.cast_signed())
    }

    fn set(&mut self, r: u32, v: Value) {
        let x = self.var(r);
        self.b.def_var(x, v);
    }

    fn flag(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let c = self.b.ins().icmp(cc, a, b);
        self.b.ins().uextend(I64, c)
    }

    /// Bails if a flag is set.
    fn bail_if(&mut self, flag: Value) {
        let on = self.b.create_block();
        self.b.ins().brif(flag, self.bail, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    /// A divisor that is not 0.
    fn divisor(&mut self, o: Opd) -> Value {
        let d = self.opd(o);
        if matches!(o, Opd::K(k) if k != 0) {
            return d;
        }
        let one = self.literal(1);
        self.b.ins().select(d, d, one)
    }

    fn bin(&mut self, op: Bin, x: Opd, y: Opd) -> Value {
        let a = self.opd(x);
        let b = if matches!(op, Bin::Div | Bin::Rem) { self.divisor(y) } else { self.opd(y) };
        match op {
            Bin::And => self.b.ins().band(a, b),
            Bin::Or => self.b.ins().bor(a, b),
            Bin::Xor => self.b.ins().bxor(a, b),
            Bin::AndNot => self.b.ins().band_not(a, b),
            Bin::Add => self.b.ins().iadd(a, b),
            Bin::Sub => self.b.ins().isub(a, b),
            Bin::Mul => self.b.ins().imul(a, b),
            Bin::Shl => self.b.ins().ishl(a, b),
            Bin::Shr => self.b.ins().ushr(a, b),
            Bin::Sar => self.b.ins().sshr(a, b),
            Bin::Div => self.b.ins().udiv(a, b),
            Bin::Rem => self.b.ins().urem(a, b),
            Bin::Eq => self.flag(IntCC::Equal, a, b),
            Bin::Ult => self.flag(IntCC::UnsignedLessThan, a, b),
            Bin::Slt => self.flag(IntCC::SignedLessThan, a, b),
            Bin::Sle => self.flag(IntCC::SignedLessThanOrEqual, a, b),
        }
    }

    fn checked(&mut self, op: Checked, x: Opd, y: Opd) -> Value {
        let (a, b) = (self.opd(x), self.opd(y));
        match op {
            Checked::Add | Checked::Sub | Checked::Mul => {
                let (v, over) = match op {
                    Checked::Add => self.b.ins().sadd_overflow(a, b),
                    Checked::Sub => self.b.ins().ssub_overflow(a, b),
                    _ => self.b.ins().smul_overflow(a, b),
                };
                self.bail_if(over);
                v
            }
            Checked::Div => {
                let (zero, least, minus) = (self.literal(0), self.literal(1 << 63), self.literal(u64::MAX));
                let none = self.b.ins().icmp(IntCC::Equal, b, zero);
                self.bail_if(none);
                let p = self.b.ins().icmp(IntCC::Equal, a, least);
                let q = self.b.ins().icmp(IntCC::Equal, b, minus);
                let over = self.b.ins().band(p, q);
                self.bail_if(over);
                self.b.ins().sdiv(a, b)
            }
            Checked::Mod => {
                let zero = self.literal(0);
                let p = self.b.ins().icmp(IntCC::SignedLessThan, a, zero);
                let q = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, b, zero);
                let wrong = self.b.ins().bor(p, q);
                self.bail_if(wrong);
                self.b.ins().urem(a, b)
            }
        }
    }

    fn ins(&mut self, i: &Ins) {
        match i {
            Ins::Copy(r, a) => {
                let v = self.opd(*a);
                self.set(*r, v);
            }
            Ins::Bin(op, r, a, b) => {
                let v = self.bin(*op, *a, *b);
                self.set(*r, v);
            }
            Ins::Checked(op, r, a, b) => {
                let v = self.checked(*op, *a, *b);
                self.set(*r, v);
            }
            Ins::Un(op, r, a) => {
                let a = self.opd(*a);
                let v = match op {
                    Un::Count => self.b.ins().popcnt(a),
                    Un::Low => self.b.ins().ctz(a),
                    Un::High => {
                        let z = self.b.ins().clz(a);
                        let top = self.literal(63);
                        self.b.ins().isub(top, z)
                    }
                };
                self.set(*r, v);
            }
            Ins::Load(r, word) => {
                self.width = self.width.max(*word as usize + 1);
                let at = i32::try_from(*word * 8).unwrap_or(0);
                let v = self.b.ins().load(I64, MemFlagsData::trusted(), self.state, at);
                self.set(*r, v);
            }
            Ins::At { dst, base, len, index } => self.at(*dst, *base, *len, *index),
            Ins::Pick { dst, base, len, index } => self.pick(*dst, *base, *len, *index),
            Ins::Emit(words) => self.emit(words),
        }
    }

    fn pick(&mut self, dst: u32, base: u32, len: u32, index: Opd) {
        let index = self.opd(index);
        let mut v = self.literal(0);
        if len <= 4 {
            for j in 0..len {
                let w = self.opd(Opd::R(base + j));
                let k = self.literal(u64::from(j));
                let here = self.b.ins().icmp(IntCC::Equal, index, k);
                v = self.b.ins().select(here, w, v);
            }
            self.set(dst, v);
            return;
        }
        let slot =
            self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, len * 8, 3));
        let address = self.b.ins().stack_addr(I64, slot, 0);
        for j in 0..len {
            let w = self.opd(Opd::R(base + j));
            self.b.ins().store(MemFlagsData::trusted(), w, address, i32::try_from(j * 8).unwrap_or(0));
        }
        self.load_within(dst, address, 0, len, index);
    }

    /// A word of the state by an index.
    fn at(&mut self, dst: u32, base: u32, len: u32, index: Opd) {
        if len == 0 {
            let zero = self.literal(0);
            return self.set(dst, zero);
        }
        self.width = self.width.max(base as usize + len as usize);
        let index = self.opd(index);
        self.load_within(dst, self.state, i32::try_from(base * 8).unwrap_or(0), len, index);
    }

    /// The word at an index of `len` words (at least one) that begin at `offset` from an address; 0 if the index is
    /// not below `len`.
    fn load_within(&mut self, dst: u32, address: Value, offset: i32, len: u32, index: Value) {
        let (zero, three) = (self.literal(0), self.literal(3));
        let limit = self.literal(u64::from(len));
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, limit);
        let clamped = self.b.ins().select(inside, index, zero);
        let bytes = self.b.ins().ishl(clamped, three);
        let at = self.b.ins().iadd(address, bytes);
        let w = self.b.ins().load(I64, MemFlagsData::trusted(), at, offset);
        let w = self.b.ins().select(inside, w, zero);
        self.set(dst, w);
    }

    fn emit(&mut self, words: &[Opd]) {
        let bytes = words.len() as u64 * 8;
        let (slow, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        let next = self.b.use_var(self.next);
        let end = self.b.ins().load(I64, MemFlagsData::trusted(), self.sink, 8);
        let room = self.b.ins().isub(end, next);
        let need = self.literal(bytes);
        let full = self.b.ins().icmp(IntCC::UnsignedLessThan, room, need);
        self.b.ins().brif(full, slow, &[], on, &[]);
        self.b.switch_to_block(slow);
        self.b.ins().store(MemFlagsData::trusted(), next, self.sink, 0);
        let function = self.b.ins().load(I64, MemFlagsData::trusted(), self.sink, 16);
        let n = self.literal(words.len() as u64);
        self.b.ins().call_indirect(self.grow, function, &[self.sink, n]);
        let moved = self.b.ins().load(I64, MemFlagsData::trusted(), self.sink, 0);
        self.b.def_var(self.next, moved);
        self.b.ins().jump(on, &[]);
        self.b.switch_to_block(on);
        let next = self.b.use_var(self.next);
        for (j, w) in (0i32..).zip(words) {
            let w = self.opd(*w);
            self.b.ins().store(MemFlagsData::trusted(), w, next, j * 8);
        }
        let size = self.literal(bytes);
        let after = self.b.ins().iadd(next, size);
        self.b.def_var(self.next, after);
    }

    /// Writes back the sink and returns.
    fn leave(&mut self, result: u64) {
        let next = self.b.use_var(self.next);
        self.b.ins().store(MemFlagsData::trusted(), next, self.sink, 0);
        let r = self.literal(result);
        self.b.ins().return_(&[r]);
    }

    fn end(&mut self, end: End) {
        match end {
            End::Jump(t) => {
                let t = self.block(t);
                self.b.ins().jump(t, &[]);
            }
            End::Branch(c, y, n) => {
                let c = self.opd(c);
                let (y, n) = (self.block(y), self.block(n));
                self.b.ins().brif(c, y, &[], n, &[]);
            }
            End::Return(x) => self.leave(u64::from(x)),
            End::Bail => {
                self.b.ins().jump(self.bail, &[]);
            }
            End::Misfit(n) => self.leave(MISFIT + u64::from(n)),
        }
    }
}
