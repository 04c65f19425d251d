//! Exact Pareto fronts of small decision trees over 0/1 features.
//!
//! A `Solver` returns every nondominated (false positives, false negatives) of the trees within given limits, or those
//! that a window leaves useful, or one of least weight, each with a tree that was priced anew on the rows as they were
//! given. Whatever ends a search early, the points returned are real, and the answer says that it is not complete. The
//! crate does no I/O, never prints, and knows nothing of metrics.
//!
//! Where to read on: `naive` says what is computed; `solver`, `passes` and `run` lead from a question to an answer;
//! `search` is the recursion, `lows` what closes splits without it, `worker` what both stand on.
//! - `data`, `rows`, `block`: the matrix, sets of rows and their names, subproblems with their pair counts
//! - `staircase`, `goal`, `budget`, `tree`: points, windows, node budgets, trees; `stumps`, `twigs`: fronts of depth one and two
//! - `directions`, `bound`, `stairs`, `depth_two`: bounds under fronts, what they close, depth two from pair counts
//! - `rules`, `cache`, `limits`, `stats`, `error`: switches, memory, when to stop, what was done, why input is refused
//! - `kernel`: the inner loops for each kind of machine, and the only `unsafe`

pub mod block;
pub mod bound;
pub mod budget;
pub mod cache;
pub mod data;
pub mod depth_two;
pub mod directions;
pub mod error;
pub mod goal;
pub mod kernel;
pub mod limits;
pub mod lows;
pub mod naive;
pub mod passes;
pub mod rows;
pub mod rules;
pub mod run;
pub mod search;
pub mod solver;
pub mod staircase;
pub mod stairs;
pub mod stats;
pub mod stumps;
pub mod tree;
pub mod twigs;
pub mod worker;
