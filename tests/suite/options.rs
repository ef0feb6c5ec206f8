//! Options whose values make no sense are refused: what is wrong, and what to write instead.

use super::bsym;

/// Options, and what must be in the message.
const REFUSED: [(&[&str], &[&str]); 10] = [
    (&["--threads", "0"], &["`0` is no number of threads"]),
    (&["--maxint=-5"], &["MAXINT = -5 is below MININT = -1", "add `--minint N` with N at most -5"]),
    (&["--minint", "4"], &["MAXINT = 3 is below MININT = 4", "add `--maxint N` with N at least 4"]),
    (&["--maxint", "0", "--minint", "3"], &["exchange `--maxint` and `--minint`"]),
    (&["--card", "PROC=2,PROC=3"], &["gives the size of `PROC` twice: 2 and 3"]),
    (&["--card", "PROC=2", "--card", "PROC=3..4"], &["gives the size of `PROC` twice: 2 and 3..4"]),
    (&["--card", "2,3"], &["gives the size of all sets twice: 2 and 3"]),
    (&["--card", "PROX=2"], &["`PROX`, which is no deferred set", "did you mean `PROC`?"]),
    (&["--max-memory", "4"], &["`4` has no unit; write `4GiB` or `4MiB`"]),
    (&["--only", "fair"], &["no temporal formula `fair`", "ASSERT_LTL and ASSERT_CTL definitions"]),
];

#[test]
fn values_that_make_no_sense_are_refused() {
    for (options, pieces) in REFUSED {
        let mut args = vec!["check", "machines/symmetry/Scheduler0.mch"];
        args.extend(options);
        let out = bsym(&args);
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{options:?}: {said}");
        for piece in pieces {
            assert!(said.contains(piece), "{options:?} is to say {piece:?}: {said}");
        }
    }
}

#[test]
fn sizes_for_all_and_for_one_go_together() {
    let out =
        bsym(&["check", "machines/symmetry/Scheduler0.mch", "--card", "2,PROC=3", "--max-memory", "4GiB"]);
    assert_eq!(out.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&out.stdout).contains("PROC = 3"));
}
