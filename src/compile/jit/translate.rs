//! Word programs as Cranelift functions.
//!
//! In: programs. Out: a function that runs one on a state, or several on many states. Which memory it reads and
//! writes, and why that is sound, stands where it is called (`super`).

use super::super::word::{Bin, Checked, End, Ins, Opd, Program, Un};
use super::{FULL, MISFIT};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::collections::BTreeMap;

/// States do not change while a function runs.
const STATE: MemFlagsData = MemFlagsData::trusted().with_readonly();

/// Words of a record that may be in registers all the time.
const IN_REGISTERS: usize = 32;

/// What the end of a program does.
#[derive(Clone, Copy)]
enum Leave {
    /// Returns how the run ended.
    Return,
    /// Goes to `done`; to `void` if it gave up, to `full` if there is no room for a record.
    Go { done: Block, void: Block, full: Block },
}

/// Translation of one program after the other.
struct Translate<'a, 'b> {
    b: &'a mut FunctionBuilder<'b>,
    /// Those of the current program.
    vars: BTreeMap<u32, Variable>,
    blocks: BTreeMap<u32, Block>,
    /// The address of the state.
    state: Variable,
    sink: Value,
    next: Variable,
    /// The end of the room for records.
    limit: Value,
    bail: Block,
    /// Where the current program goes if there is no room.
    full: Block,
    leave: Leave,
    width: usize,
    /// Words of the record that the current block emitted last.
    emitted: usize,
    /// Words of the state by the registers that hold them and nothing else.
    loads: BTreeMap<u32, u32>,
}

/// The function `(state, sink)` that runs a program; returns the least length of a state.
pub(super) fn single(b: &mut FunctionBuilder<'_>, [state, sink]: [Value; 2], p: &Program) -> usize {
    let mut t = Translate::new(b, sink);
    t.b.def_var(t.state, state);
    t.program(p);
    t.width
}

/// The function `(states, end, sink, ends)` that runs programs on each of several states of `words` words, from one address
/// to the other, and writes for each how many records there are of its state so far (32 bits each). It stops at a
/// state at which a program gives up or has no room, which it notes, without another trace of that, and returns the address
/// that it came to. Returns the least length of a state.
pub(super) fn joint(
    b: &mut FunctionBuilder<'_>,
    [first, last, sink, ends]: [Value; 4],
    programs: &[&Program],
    words: usize,
) -> usize {
    let [head, body, out, void, full] = [(); 5].map(|()| b.create_block());
    b.set_cold_block(void);
    b.set_cold_block(full);
    let mut t = Translate::new(b, sink);
    let bytes = words as u64 * 8;
    t.b.def_var(t.state, first);
    let [to, before] = [(); 2].map(|()| t.b.declare_var(I64));
    t.b.def_var(to, ends);
    t.b.ins().jump(head, &[]);

    t.b.switch_to_block(head);
    let state = t.b.use_var(t.state);
    let any = t.b.ins().icmp(IntCC::UnsignedLessThan, state, last);
    t.b.ins().brif(any, body, &[], out, &[]);

    t.b.switch_to_block(body);
    let next = t.b.use_var(t.next);
    t.b.def_var(before, next);
    for (i, p) in (0i32..).zip(programs) {
        let done = t.b.create_block();
        t.leave = Leave::Go { done, void, full };
        t.program(p);
        t.b.switch_to_block(done);
        let (at, next, before) = (t.b.use_var(to), t.b.use_var(t.next), t.b.use_var(before));
        let (emitted, size) = (t.b.ins().isub(next, before), t.literal(bytes));
        let records = t.b.ins().udiv(emitted, size);
        t.b.ins().istore32(MemFlagsData::trusted(), records, at, i * 4);
    }
    t.advance(to, programs.len() as u64 * 4);
    t.advance(t.state, bytes);
    t.b.ins().jump(head, &[]);

    t.b.switch_to_block(full);
    let one = t.literal(1);
    t.b.ins().store(MemFlagsData::trusted(), one, sink, 16);
    t.b.ins().jump(void, &[]);

    // What the programs before have emitted for this state is void, too.
    t.b.switch_to_block(void);
    let before = t.b.use_var(before);
    t.b.def_var(t.next, before);
    t.b.ins().jump(out, &[]);

    t.b.switch_to_block(out);
    let state = t.b.use_var(t.state);
    t.write_back();
    t.b.ins().return_(&[state]);
    t.width
}

impl<'a, 'b> Translate<'a, 'b> {
    /// Begins a function: its current block is the entry.
    fn new(b: &'a mut FunctionBuilder<'b>, sink: Value) -> Self {
        let [state, next] = [(); 2].map(|()| b.declare_var(I64));
        let first = b.ins().load(I64, MemFlagsData::trusted(), sink, 0);
        b.def_var(next, first);
        let limit = b.ins().load(I64, MemFlagsData::trusted(), sink, 8);
        let (bail, full) = (b.create_block(), b.create_block());
        let (vars, blocks) = (BTreeMap::new(), BTreeMap::new());
        Self {
            b,
            vars,
            blocks,
            state,
            sink,
            next,
            limit,
            bail,
            full,
            leave: Leave::Return,
            width: 0,
            emitted: 0,
            loads: BTreeMap::new(),
        }
    }

    /// Emits a program into the current block.
    fn program(&mut self, p: &Program) {
        let order = p.reachable();
        self.vars.clear();
        self.loads = loaded(p);
        self.blocks = order.iter().map(|n| (*n, self.b.create_block())).collect();
        (self.bail, self.full) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(self.bail);
        self.b.set_cold_block(self.full);
        let start = self.block(0);
        self.b.ins().jump(start, &[]);
        for n in &order {
            if let Some((ins, end)) = p.blocks.get(*n as usize) {
                let here = self.block(*n);
                self.b.switch_to_block(here);
                self.emitted = 0;
                for i in ins {
                    self.ins(i);
                }
                self.end(*end);
            }
        }
        self.b.switch_to_block(self.bail);
        self.leave(2);
        self.b.switch_to_block(self.full);
        self.leave(FULL);
    }

    /// Adds to a variable.
    fn advance(&mut self, var: Variable, by: u64) {
        let (old, by) = (self.b.use_var(var), self.literal(by));
        let new = self.b.ins().iadd(old, by);
        self.b.def_var(var, new);
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
                let state = self.b.use_var(self.state);
                let v = self.b.ins().load(I64, STATE, state, at);
                self.set(*r, v);
            }
            Ins::At { dst, base, len, index } => self.at(*dst, *base, *len, *index),
            Ins::Pick { dst, base, len, index } => self.pick(*dst, *base, *len, *index),
            Ins::Emit(words) => self.emit(words),
            Ins::Patch { back, len, index, mask, value } => self.patch(*back, *len, *index, [*mask, *value]),
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
        self.load_within(dst, address, 0, len, index, MemFlagsData::trusted());
    }

    /// A word of the state by an index.
    fn at(&mut self, dst: u32, base: u32, len: u32, index: Opd) {
        if len == 0 {
            let zero = self.literal(0);
            return self.set(dst, zero);
        }
        self.width = self.width.max(base as usize + len as usize);
        let index = self.opd(index);
        let state = self.b.use_var(self.state);
        self.load_within(dst, state, i32::try_from(base * 8).unwrap_or(0), len, index, STATE);
    }

    /// The word at an index of `len` words (at least one) that begin at `offset` from an address; 0 if the index is
    /// not below `len`.
    fn load_within(
        &mut self,
        dst: u32,
        address: Value,
        offset: i32,
        len: u32,
        index: Value,
        flags: MemFlagsData,
    ) {
        let (zero, three) = (self.literal(0), self.literal(3));
        let limit = self.literal(u64::from(len));
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, limit);
        let clamped = self.b.ins().select(inside, index, zero);
        let bytes = self.b.ins().ishl(clamped, three);
        let at = self.b.ins().iadd(address, bytes);
        let w = self.b.ins().load(I64, flags, at, offset);
        let w = self.b.ins().select(inside, w, zero);
        self.set(dst, w);
    }

    /// Changes a word of the record that the block has just emitted.
    fn patch(&mut self, back: u32, len: u32, index: Opd, [mask, value]: [Opd; 2]) {
        if len == 0 || len > back || back as usize > self.emitted {
            // Not of this record.
            let on = self.b.create_block();
            self.b.ins().jump(self.bail, &[]);
            return self.b.switch_to_block(on);
        }
        let (zero, three, limit) = (self.literal(0), self.literal(3), self.literal(u64::from(len)));
        let [index, mask, value] = [index, mask, value].map(|o| self.opd(o));
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, limit);
        let [index, mask, value] = [index, mask, value].map(|x| self.b.ins().select(inside, x, zero));
        let next = self.b.use_var(self.next);
        let bytes = self.b.ins().ishl(index, three);
        let at = self.b.ins().iadd(next, bytes);
        let offset = -i32::try_from(back * 8).unwrap_or(8);
        let old = self.b.ins().load(I64, MemFlagsData::trusted(), at, offset);
        let kept = self.b.ins().band_not(old, mask);
        let new = self.b.ins().bor(kept, value);
        self.b.ins().store(MemFlagsData::trusted(), new, at, offset);
    }

    fn emit(&mut self, words: &[Opd]) {
        self.emitted = words.len();
        let next = self.b.use_var(self.next);
        let bytes = self.literal(words.len() as u64 * 8);
        let after = self.b.ins().iadd(next, bytes);
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, after, self.limit);
        let on = self.b.create_block();
        self.b.ins().brif(full, self.full, &[], on, &[]);
        self.b.switch_to_block(on);
        for (j, w) in (0i32..).zip(words) {
            // Of a wide state few words are in registers: each is read when it is written.
            let w = match w {
                Opd::R(r) if words.len() > IN_REGISTERS && self.loads.contains_key(r) => {
                    self.width = self.width.max(self.loads[r] as usize + 1);
                    let at = i32::try_from(self.loads[r] * 8).unwrap_or(0);
                    let state = self.b.use_var(self.state);
                    self.b.ins().load(I64, STATE, state, at)
                }
                _ => self.opd(*w),
            };
            self.b.ins().store(MemFlagsData::trusted(), w, next, j * 8);
        }
        self.b.def_var(self.next, after);
    }

    fn write_back(&mut self) {
        let next = self.b.use_var(self.next);
        self.b.ins().store(MemFlagsData::trusted(), next, self.sink, 0);
    }

    /// Ends the program with a result, as [`super::Native`] reads it.
    fn leave(&mut self, result: u64) {
        match self.leave {
            Leave::Return => {
                self.write_back();
                let r = self.literal(result);
                self.b.ins().return_(&[r]);
            }
            Leave::Go { done, void, full } => {
                let to = match result {
                    0 | 1 => done,
                    FULL => full,
                    _ => void,
                };
                self.b.ins().jump(to, &[]);
            }
        }
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

/// The registers that hold a word of the state wherever they hold anything, and which one.
fn loaded(p: &Program) -> BTreeMap<u32, u32> {
    let mut out = BTreeMap::new();
    let instructions = || p.blocks.iter().flat_map(|b| &b.0);
    for i in instructions() {
        if let Ins::Load(r, word) = i {
            out.insert(*r, *word);
        }
    }
    for i in instructions() {
        match i {
            Ins::Copy(r, _) | Ins::Bin(_, r, ..) | Ins::Checked(_, r, ..) | Ins::Un(_, r, _) => out.remove(r),
            Ins::At { dst, .. } | Ins::Pick { dst, .. } => out.remove(dst),
            Ins::Load(r, word) if out.get(r).is_some_and(|w| w != word) => out.remove(r),
            Ins::Load(..) | Ins::Emit(_) | Ins::Patch { .. } => continue,
        };
    }
    out
}
