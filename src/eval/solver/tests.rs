//! Searches with known numbers of solutions.

use crate::eval::Env;
use crate::eval::testing::*;
use crate::ir::*;
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use std::ops::ControlFlow::Continue;
use std::sync::Arc;

fn rel() -> Ty {
    Ty::rel(Ty::Int, Ty::Int)
}

fn f() -> Expr {
    e(ExprKind::Local(LocalId(0)), rel())
}

fn upto(n: i64) -> Expr {
    op(Op::Interval, vec![int(1), int(n)], Ty::pow(Ty::Int))
}

fn at_point(i: u32) -> Expr {
    op(Op::Apply, vec![f(), x(i)], Ty::Int)
}

fn forall(id: u32, vars: &[u32], pred: Pred, body: Pred) -> Pred {
    let vars = vars.iter().map(|i| local(*i, Ty::Int)).collect();
    let binder = Arc::new(Binder { vars, pred, captures: Vec::new(), frame: 8, reads_state: false, id });
    Pred { kind: PredKind::Forall(Arc::new(Scoped { binder, body })), span: at(1) }
}

fn count(ty: Ty, pred: &Pred) -> usize {
    let mut env = Env::new(Arc::default(), Arc::default(), 8);
    let mut n = 0;
    let _ = evaluator().solve(&[local(0, ty)], &[pred], &mut env, &mut |_, _| {
        n += 1;
        Ok(Continue(()))
    });
    n
}

fn space(o: Op, a: i64, b: i64) -> Pred {
    p(Op::In, vec![f(), op(o, vec![upto(a), upto(b)], Ty::pow(rel()))])
}

#[test]
fn function_spaces_have_their_sizes() {
    for (o, n) in [
        (Op::TotalFun, 9),
        (Op::PartialFun, 16),
        (Op::TotalInj, 6),
        (Op::PartialInj, 13),
        (Op::TotalSurj, 0),
        (Op::Rel, 64),
    ] {
        assert_eq!(count(rel(), &space(o, 2, 3)), n, "{o:?}");
    }
    assert_eq!(count(rel(), &space(Op::TotalBij, 4, 4)), 24);
    assert_eq!(count(rel(), &space(Op::TotalSurj, 3, 2)), 6);
}

#[test]
fn queens() {
    let n = 6;
    let between = |i| p(Op::In, vec![x(i), upto(n)]);
    let pair = and(vec![between(1), between(2), p(Op::Gt, vec![x(2), x(1)])]);
    let gap = || op(Op::Sub, vec![x(2), x(1)], Ty::Int);
    let plus = op(Op::Add, vec![at_point(1), gap()], Ty::Int);
    let minus = op(Op::Sub, vec![at_point(1), gap()], Ty::Int);
    let body = and(vec![p(Op::Neq, vec![plus, at_point(2)]), p(Op::Neq, vec![minus, at_point(2)])]);
    let all = and(vec![space(Op::TotalInj, n, n), forall(1, &[1, 2], pair, body)]);
    assert_eq!(count(rel(), &all), 4);
}

/// What instances of a quantifier say twice says no more than once, whichever side stands first.
#[test]
fn sums_that_are_said_twice() {
    let n = 5;
    let between = |i| p(Op::In, vec![x(i), upto(n)]);
    let shifted = |i| op(Op::Add, vec![at_point(i), x(i)], Ty::Int);
    let doubled = |i| op(Op::Mul, vec![int(2), at_point(i)], Ty::Int);
    let with = |o| {
        let pairs = and(vec![between(1), between(2), p(o, vec![x(1), x(2)])]);
        let body = and(vec![
            p(Op::Neq, vec![shifted(1), shifted(2)]),
            p(Op::Neq, vec![op(Op::Sub, vec![doubled(1), at_point(2)], Ty::Int), int(3)]),
        ]);
        count(rel(), &and(vec![space(Op::TotalFun, n, n), forall(1, &[1, 2], pairs, body)]))
    };
    let fits = |f: &[i64]| {
        let at = |i: i64| f[usize::try_from(i - 1).unwrap()];
        let pairs = |ordered: bool| {
            (1..=n).all(|i| {
                (1..=n)
                    .all(|j| i == j || ordered && i > j || at(i) + i != at(j) + j && 2 * at(i) - at(j) != 3)
            })
        };
        (pairs(false), pairs(true))
    };
    let all = (0..n.pow(5)).map(|k| (0..5u32).map(|d| k / n.pow(d) % n + 1).collect::<Vec<i64>>());
    let (both, once) =
        all.map(|f| fits(&f)).fold((0, 0), |(a, b), (p, q)| (a + usize::from(p), b + usize::from(q)));
    assert_eq!((with(Op::Neq), with(Op::Lt)), (both, once));
}

#[test]
fn subsets_by_size_and_sum() {
    let s = e(ExprKind::Local(LocalId(0)), Ty::pow(Ty::Int));
    let all = and(vec![
        p(Op::Subset, vec![s.clone(), upto(12)]),
        p(Op::Eq, vec![op(Op::Card, vec![s], Ty::Int), int(3)]),
    ]);
    assert_eq!(count(Ty::pow(Ty::Int), &all), 220);
}

fn term(i: i64, factor: i64) -> Expr {
    let at = op(Op::Apply, vec![f(), int(i)], Ty::Int);
    op(Op::Mul, vec![int(factor), at], Ty::Int)
}

fn holds(o: Op, a: i64, b: i64) -> bool {
    match o {
        Op::Eq => a == b,
        Op::Neq => a != b,
        Op::Le => a <= b,
        Op::Lt => a < b,
        Op::Ge => a >= b,
        _ => a > b,
    }
}

#[test]
fn sums_of_points_say_what_counting_says() {
    let factors = [-3, -1, 0, 1, 2];
    for o in [Op::Eq, Op::Neq, Op::Le, Op::Lt, Op::Ge, Op::Gt] {
        for (a, b, c) in factors.iter().flat_map(|a| factors.iter().map(move |b| (*a, *b, 2 - a - b))) {
            let sum =
                op(Op::Add, vec![term(1, a), op(Op::Sub, vec![term(2, b), term(3, c)], Ty::Int)], Ty::Int);
            // A second comparison shares cells with the first.
            let all = and(vec![
                space(Op::TotalFun, 3, 4),
                p(o, vec![sum, int(2)]),
                p(Op::Neq, vec![term(1, 1), term(3, 2)]),
            ]);
            let points = || 1..=4i64;
            let triples = points().flat_map(|x| points().flat_map(move |y| points().map(move |z| (x, y, z))));
            let fits = |(x, y, z): &(i64, i64, i64)| holds(o, a * x + b * y - c * z, 2) && *x != 2 * z;
            assert_eq!(count(rel(), &all), triples.filter(fits).count(), "{o:?} {a} {b} {c}");
        }
    }
}

#[test]
fn all_subsets_of_an_infinite_type_by_their_members() {
    // Nothing but the size bounds the set: MININT and MAXINT do.
    let s = e(ExprKind::Local(LocalId(0)), Ty::pow(Ty::Int));
    let all = and(vec![
        p(Op::In, vec![int(1), s.clone()]),
        p(Op::Le, vec![op(Op::Card, vec![s], Ty::Int), int(2)]),
    ]);
    let world = evaluator().world.clone();
    let numbers = usize::try_from(world.maxint - world.minint + 1).unwrap_or(0);
    assert_eq!(count(Ty::pow(Ty::Int), &all), numbers);
}

/// A predicate about f and some numbers, most parts of which have no value for some f, that a seed decides.
fn partial(seed: &mut u64, depth: u32, scope: &[u32]) -> Pred {
    let mut draw = |n: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % n
    };
    // Of f with another value at a number, known or not, there are as many doubts.
    let number = [int(1), int(2), x(scope[0])][usize::try_from(draw(3)).unwrap()].clone();
    let pair = op(Op::Maplet, vec![number, int(2)], Ty::pair(Ty::Int, Ty::Int));
    let other = op(Op::Override, vec![f(), e(ExprKind::SetExt(vec![pair]), rel())], rel());
    let function = if draw(4) == 0 { other } else { f() };
    let apply = |x: Expr| op(Op::Apply, vec![function.clone(), x], Ty::Int);
    let innermost = x(scope[scope.len() - 1]);
    let kind = draw(if depth == 0 { 4 } else { 11 });
    let (argument, number) =
        (int(1 + i64::from(draw(2) == 1)), int([1, 2, 3][usize::try_from(draw(3)).unwrap()]));
    let comparison = [Op::Eq, Op::Neq, Op::Lt, Op::Ge][usize::try_from(draw(4)).unwrap()];
    let id = u32::try_from(draw(60_000)).unwrap();
    let part = |seed: &mut u64| partial(seed, depth - 1, scope);
    let bound = |seed: &mut u64| {
        let mut inner = scope.to_vec();
        inner.push(depth);
        let typing = p(Op::In, vec![x(depth), upto(2)]);
        let pred = and(vec![typing, partial(seed, depth - 1, &inner)]);
        let captures = [0].iter().chain(scope).map(|i| LocalId(*i)).collect();
        let vars = vec![local(depth, Ty::Int)];
        (Arc::new(Binder { vars, pred, captures, frame: 8, reads_state: false, id }), inner)
    };
    let kind = match kind {
        0 => return p(comparison, vec![apply(argument), number]),
        1 => return p(comparison, vec![apply(innermost), number]),
        2 => return p(comparison, vec![apply(apply(argument)), innermost]),
        3 => return p(Op::In, vec![argument, op(Op::Dom, vec![function], Ty::pow(Ty::Int))]),
        4 => PredKind::And(vec![part(seed), part(seed)]),
        5 => PredKind::Or(vec![part(seed), part(seed)]),
        6 => PredKind::Not(Box::new(part(seed))),
        7 => PredKind::Implies(Box::new(part(seed)), Box::new(part(seed))),
        8 => PredKind::Exists(bound(seed).0),
        9 => {
            let (binder, inner) = bound(seed);
            let body = partial(seed, depth - 1, &inner);
            PredKind::Forall(Arc::new(Scoped { binder, body }))
        }
        _ => {
            let set = e(ExprKind::Compr(bound(seed).0, false), Ty::pow(Ty::Int));
            return p([Op::Eq, Op::Subset][depth as usize % 2], vec![set, upto(1)]);
        }
    };
    Pred { kind, span: at(2) }
}

/// What has no value makes a conjunct false, but not always what it is part of: a row of a comprehension is no member,
/// an implication with a true right side holds. The search must find what trying all functions finds.
#[test]
fn functions_with_gaps_are_all_found() {
    let mut seed = 11;
    let mut found = 0;
    for round in 0..3000usize {
        let space = [space(Op::PartialFun, 2, 3), space(Op::Rel, 2, 2)][round % 2].clone();
        let depth = [0, 1, 2, 3][round % 4];
        let facts: Vec<Pred> = (0..2 + round % 2).map(|_| partial(&mut seed, depth, &[5])).collect();
        let ev = evaluator();
        // The number that the facts begin with is known, or solved for as well.
        let number = p(Op::In, vec![x(5), upto(2)]);
        let open = round % 3 == 0;
        let new = || Env::new(Arc::default(), Arc::default(), 8);
        let set = |env: &mut Env, found: &(Option<Value>, Option<Value>)| {
            env.set_local(LocalId(0), found.0.clone());
            env.set_local(LocalId(5), found.1.clone());
        };
        let solve = |ps: &[&Pred]| {
            let mut all = Vec::new();
            let mut env = new();
            env.set_local(LocalId(5), Some(Value::Int(1)));
            let vars = [local(0, rel()), local(5, Ty::Int)];
            let flow = ev.solve(&vars[..=usize::from(open)], ps, &mut env, &mut |_, env| {
                all.push((env.local(LocalId(0)).cloned(), env.local(LocalId(5)).cloned()));
                Ok(Continue(()))
            });
            flow.map(|_| all)
        };
        let typing: &[&Pred] = if open { &[&space, &number] } else { &[&space] };
        let ps: Vec<&Pred> = typing.iter().copied().chain(&facts).collect();
        let mut want = solve(typing).unwrap();
        want.retain(|found| {
            facts.iter().all(|p| {
                let mut env = new();
                set(&mut env, found);
                matches!(ev.pred(p, &mut env), Ok(true))
            })
        });
        let got = solve(&ps);
        let mut got = got.unwrap_or_else(|f| panic!("round {round}: {f:?}"));
        want.sort();
        got.sort();
        found += got.len();
        if round % 2 == 0 {
            assert_eq!(got, want, "round {round}: {facts:?}");
        } else {
            // Where there are several values, whether a row without one comes first decides between an error and an answer.
            let lost: Vec<_> = want.iter().filter(|f| !got.contains(f)).collect();
            assert!(lost.is_empty(), "round {round}: {lost:?} {facts:?}");
        }
    }
    assert!(found > 3000, "{found}");
}

/// A relation made of f by operators that a seed decides.
fn relation(draw: &mut dyn FnMut(usize) -> usize, depth: usize) -> Expr {
    if depth == 0 || draw(4) == 0 {
        return f();
    }
    let a = relation(draw, depth - 1);
    match draw(7) {
        0 => op(Op::Closure1, vec![a], rel()),
        1 => op(Op::Inverse, vec![a], rel()),
        2 => op(Op::DomRes, vec![set(&[1, 3]), a], rel()),
        3 => op(Op::Diff, vec![a, relation(draw, depth - 1)], rel()),
        4 => op(Op::Union, vec![a, relation(draw, depth - 1)], rel()),
        5 => op(Op::Inter, vec![a, relation(draw, depth - 1)], rel()),
        _ => op(Op::Comp, vec![a, relation(draw, depth - 1)], rel()),
    }
}

/// Long enough searches for what was said of the same options before to be recalled, in constraints with and without
/// instances: they find what trying all relations finds.
#[test]
fn searches_that_come_back_find_all_relations() {
    let mut seed = 5u64;
    let mut draw = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % n
    };
    let new = || Env::new(Arc::default(), Arc::default(), 8);
    let solve = |ps: &[&Pred]| {
        let mut all = Vec::new();
        let done = evaluator().solve(&[local(0, rel())], ps, &mut new(), &mut |_, env| {
            all.extend(env.local(LocalId(0)).cloned());
            Ok(Continue(()))
        });
        done.map(|_| all).unwrap()
    };
    let typing = space(Op::Rel, 3, 3);
    let candidates = solve(&[&typing]);
    assert_eq!(candidates.len(), 512);
    let mut found = 0;
    for round in 0..60 {
        let members = |e: Expr| op(Op::Image, vec![e, set(&[1, 2])], Ty::pow(Ty::Int));
        let mut facts = Vec::new();
        for _ in 0..2 {
            let (a, b) = (relation(&mut draw, 3), relation(&mut draw, 2));
            facts.push(match draw(4) {
                0 => p(Op::Subset, vec![a, b]),
                1 => p(Op::NotSubset, vec![a, b]),
                2 => p(Op::Subset, vec![set(&[2]), members(a)]),
                _ => p(Op::Neq, vec![members(a), members(b)]),
            });
        }
        let row = op(
            Op::Image,
            vec![relation(&mut draw, 3), e(ExprKind::SetExt(vec![x(1)]), Ty::pow(Ty::Int))],
            Ty::pow(Ty::Int),
        );
        let each = forall(7000 + round, &[1], p(Op::In, vec![x(1), upto(3)]), p(Op::NotIn, vec![x(1), row]));
        facts.extend((draw(3) == 0).then_some(each));
        let ps: Vec<&Pred> = [&typing].into_iter().chain(&facts).collect();
        let ev = evaluator();
        let fits = |v: &&Value| {
            let mut env = new();
            env.set_local(LocalId(0), Some((*v).clone()));
            facts.iter().all(|p| matches!(ev.pred(p, &mut env), Ok(true)))
        };
        let mut want: Vec<Value> = candidates.iter().filter(fits).cloned().collect();
        let mut got = solve(&ps);
        want.sort();
        got.sort();
        found += got.len();
        assert_eq!(got, want, "round {round}: {facts:?}");
    }
    assert!(found > 1000, "{found}");
}
