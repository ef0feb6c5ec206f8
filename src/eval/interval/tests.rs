//! Tests of intervals and of what comparisons narrow.

use super::*;

#[test]
fn narrows_through_sums_and_products() {
    let twice = Term::Var(0).plus(Term::Var(0));
    let mut doms = vec![ALL];
    let known = |n| Term::Known(Interval::one(n));
    let cs = vec![(Rel::Lt, known(10), twice.clone()), (Rel::Lt, twice, known(20))];
    assert!(propagate(&cs, &mut doms));
    assert_eq!(doms[0], Interval::new(Some(6), Some(9)));
    let mut doms = vec![Interval::new(Some(-100), Some(100))];
    let square = Term::Var(0).times(Term::Var(0));
    assert!(propagate(&[(Rel::Le, square, known(50))], &mut doms));
    assert_eq!(doms[0], Interval::new(Some(-7), Some(7)));
    // A product of two numbers from 2 to 9 that is 30: both are 5 or 6.
    let mut doms = vec![Interval::new(Some(2), Some(9)); 2];
    let product = Term::Var(0).times(Term::Var(1));
    assert!(propagate(&[(Rel::Eq, product, known(30))], &mut doms));
    assert_eq!(doms, [Interval::new(Some(5), Some(6)); 2]);
}

/// No root gets lost, and of numbers that are not negative both ends are known.
#[test]
fn roots_keep_what_there_is() {
    let square = || Term::Var(0).times(Term::Var(0));
    for (from, to) in (0..60).flat_map(|a| (a..60).map(move |b| (a, b))) {
        for least in [-8, -1, 0, 2] {
            let mut doms = vec![Interval::new(Some(least), Some(8))];
            let known = Term::Known(Interval::new(Some(from), Some(to)));
            let possible = propagate(&[(Rel::Eq, square(), known)], &mut doms);
            let roots: Vec<i128> = (least..=8).filter(|n| (from..=to).contains(&(n * n))).collect();
            let kept = |n: &i128| possible && doms[0].meet(Interval::one(*n)) == Interval::one(*n);
            assert!(roots.iter().all(kept), "{from}..{to} from {least}: {doms:?}");
            if let (0.., [first, .., last]) = (least, &roots[..]) {
                assert_eq!(doms[0], Interval::new(Some(*first), Some(*last)));
            }
        }
    }
}

/// No quotient that there is gets lost, whatever is known of the three numbers.
#[test]
fn quotients_keep_what_there_is() {
    let mut seed = 5u64;
    let mut draw = |n: i128| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i128::from(seed >> 33) % n
    };
    let mut narrower = 0;
    for _ in 0..20_000 {
        let mut range = |least: i128| {
            let lo = draw(12) + least;
            Interval::new(Some(lo), Some(lo + draw(9)))
        };
        let before = [range(-2), range(-1), range(-2)];
        let mut doms = before.to_vec();
        let quotient = Term::Div(Box::new(Term::Var(0)), Box::new(Term::Var(1)));
        let possible = propagate(&[(Rel::Eq, quotient, Term::Var(2))], &mut doms);
        narrower += u32::from(!possible || doms != before);
        let all = |i: Interval| i.lo().unwrap_or(1)..=i.hi().unwrap_or(0);
        for (a, b) in all(before[0]).flat_map(|a| all(before[1]).map(move |b| (a, b))) {
            if b != 0 && before[2].meet(Interval::one(a / b)) == Interval::one(a / b) {
                let kept = |i: usize, n: i128| doms[i].meet(Interval::one(n)) == Interval::one(n);
                assert!(possible && kept(0, a) && kept(1, b) && kept(2, a / b), "{a} / {b} of {before:?}");
            }
        }
    }
    assert!(narrower > 5000, "{narrower}");
}

/// The least of several lies between the ends; who is the least is known once only one can be.
#[test]
fn narrows_the_least_of_several() {
    let known = |lo, hi| Term::Known(Interval::new(lo, hi));
    let plus = |k| Term::Var(0).plus(Term::Known(Interval::one(k)));
    let mut doms = vec![Interval::new(Some(1), Some(1000)), Interval::new(Some(1), None)];
    let least = Term::Least((1..=3).map(plus).collect());
    assert_eq!(least.interval(&doms), Interval::new(Some(2), Some(1001)));
    assert!(propagate(&[(Rel::Eq, least.clone(), known(Some(50), Some(50)))], &mut doms));
    assert_eq!(doms[0], Interval::one(49));
    // 30 is out of reach by now.
    assert!(!propagate(&[(Rel::Le, least, known(Some(30), Some(30)))], &mut doms.clone()));
    // The first is at least 50: the other one is 20 at most.
    let least = Term::Least(vec![plus(1), Term::Var(1)]);
    assert!(propagate(&[(Rel::Le, least.clone(), known(None, Some(20)))], &mut doms));
    assert_eq!(doms[1], Interval::new(Some(1), Some(20)));
    let greatest = Term::Least(vec![plus(1).minus(), Term::Var(1).minus()]).minus();
    assert_eq!(greatest.interval(&doms), Interval::one(50));
}

#[test]
fn nothing_is_divided_by_an_empty_interval() {
    let empty = Interval::between(1, 0);
    assert_eq!(quotient(Interval::new(Some(3), Some(9)), empty), Interval::new(Some(0), Some(9)));
}

#[test]
fn finds_contradictions() {
    let mut doms = vec![Interval::new(Some(0), Some(3)), Interval::new(Some(4), Some(5))];
    assert!(!propagate(&[(Rel::Lt, Term::Var(1), Term::Var(0))], &mut doms));
}
