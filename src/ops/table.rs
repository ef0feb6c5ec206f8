//! All rows. The order is that of [`Op`], so that a row is found by index.

use super::{Op, OpDef, arith, compare, functions, membership, relations, sequences, sets, trees};

/// The row of every operator, in the order of [`Op`].
pub const TABLE: &[&OpDef] = &[
    // arith
    &arith::neg::DEF,
    &arith::add::DEF,
    &arith::sub::DEF,
    &arith::mul::DEF,
    &arith::div::DEF,
    &arith::modulo::DEF,
    &arith::power::DEF,
    &arith::step::SUCC,
    &arith::step::PRED,
    &arith::min::DEF,
    &arith::max::DEF,
    &arith::floor::DEF,
    &arith::ceiling::DEF,
    &arith::real::DEF,
    &arith::limits::MAXINT,
    &arith::limits::MININT,
    // overloaded
    &arith::overloaded::MINUS,
    &arith::overloaded::STAR,
    // compare
    &compare::eq::DEF,
    &compare::neq::DEF,
    &compare::lt::DEF,
    &compare::le::DEF,
    &compare::gt::DEF,
    &compare::ge::DEF,
    // membership
    &membership::member::DEF,
    &membership::not_member::DEF,
    &membership::subset::DEF,
    &membership::not_subset::DEF,
    &membership::strict_subset::DEF,
    &membership::not_strict_subset::DEF,
    &membership::finite::DEF,
    &membership::partition::DEF,
    &membership::constants::TRUE,
    &membership::constants::FALSE,
    // sets
    &sets::booleans::TRUE,
    &sets::booleans::FALSE,
    &sets::booleans::BOOL,
    &sets::integers::INTEGER,
    &sets::integers::NATURAL,
    &sets::integers::NATURAL1,
    &sets::integers::INT,
    &sets::integers::NAT,
    &sets::integers::NAT1,
    &sets::types::STRING,
    &sets::types::REAL,
    &sets::types::FLOAT,
    &sets::union::DEF,
    &sets::inter::DEF,
    &sets::diff::DEF,
    &sets::product::DEF,
    &sets::pow::DEF,
    &sets::pow1::DEF,
    &sets::fin::DEF,
    &sets::fin1::DEF,
    &sets::card::DEF,
    &sets::big_union::DEF,
    &sets::big_inter::DEF,
    &sets::interval::DEF,
    &sets::maplet::DEF,
    // relations
    &relations::rel::DEF,
    &relations::total_rel::DEF,
    &relations::surj_rel::DEF,
    &relations::total_surj_rel::DEF,
    &relations::dom::DEF,
    &relations::ran::DEF,
    &relations::inverse::DEF,
    &relations::image::DEF,
    &relations::dom_res::DEF,
    &relations::dom_sub::DEF,
    &relations::ran_res::DEF,
    &relations::ran_sub::DEF,
    &relations::over::DEF,
    &relations::comp::DEF,
    &relations::back_comp::DEF,
    &relations::par_product::DEF,
    &relations::direct_product::DEF,
    &relations::id::DEF,
    &relations::prj1::DEF,
    &relations::prj2::DEF,
    &relations::parts::FIRST,
    &relations::parts::SECOND,
    &relations::closure::DEF,
    &relations::closure1::DEF,
    &relations::iterate::DEF,
    &relations::fnc::DEF,
    &relations::rel_of::DEF,
    // functions
    &functions::partial_fun::DEF,
    &functions::total_fun::DEF,
    &functions::partial_inj::DEF,
    &functions::total_inj::DEF,
    &functions::partial_surj::DEF,
    &functions::total_surj::DEF,
    &functions::partial_bij::DEF,
    &functions::total_bij::DEF,
    &functions::apply::DEF,
    // sequences
    &sequences::seq::DEF,
    &sequences::seq1::DEF,
    &sequences::iseq::DEF,
    &sequences::iseq1::DEF,
    &sequences::perm::DEF,
    &sequences::size::DEF,
    &sequences::first::DEF,
    &sequences::last::DEF,
    &sequences::front::DEF,
    &sequences::tail::DEF,
    &sequences::rev::DEF,
    &sequences::concat::DEF,
    &sequences::prepend::DEF,
    &sequences::append::DEF,
    &sequences::take::DEF,
    &sequences::drop::DEF,
    &sequences::conc::DEF,
    // trees
    &trees::all::DEF,
    &trees::binary::DEF,
    &trees::constant::DEF,
    &trees::leaf::DEF,
    &trees::fork::DEF,
    &trees::top::DEF,
    &trees::sons::DEF,
    &trees::prefix::DEF,
    &trees::postfix::DEF,
    &trees::infix::DEF,
    &trees::sizet::DEF,
    &trees::mirror::DEF,
    &trees::rank::DEF,
    &trees::father::DEF,
    &trees::son::DEF,
    &trees::subtree::DEF,
    &trees::arity::DEF,
    &trees::left::DEF,
    &trees::right::DEF,
];

// Every row stands at the index of its operator, and no operator is without one.
const _: () = {
    assert!(TABLE.len() == Op::TreeRight as usize + 1);
    let mut i = 0;
    while i < TABLE.len() {
        assert!(TABLE[i].op as usize == i);
        i += 1;
    }
};

/// The row of an operator.
#[must_use]
pub const fn def(op: Op) -> &'static OpDef {
    TABLE[op as usize]
}
