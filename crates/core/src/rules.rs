//! The rules that make the search fast: each has a name, a switch and a counter, and none changes an answer.

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident = $name:literal,)+) => {
        /// One way to save work. Where it is applied, a comment proves that it loses nothing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)+
        }

        impl Rule {
            pub const ALL: &[Rule] = &[$(Rule::$rule),+];

            pub fn name(self) -> &'static str {
                match self { $(Rule::$rule => $name,)+ }
            }

            /// What it does, and what its counter counts.
            pub fn help(self) -> &'static str {
                match self { $(Rule::$rule => concat!($($doc),+),)+ }
            }
        }
    };
}

rules! {
    /// Remember what is known of a set of rows (paper: caching). Counts answers taken from memory.
    Cache = "cache",
    /// Solve depth two from pair counts (paper: specialised algorithm). Counts subproblems solved so.
    DepthTwo = "depth_two",
    /// (A) Look in a child only for what its parent could use. Counts splits given up as a child has nothing of use.
    UpperBounds = "upper_bounds",
    /// (B) Reuse searches that were limited by a window. Counts reuses.
    Infeasibility = "infeasibility",
    /// (C) Add the lower bounds of two children before solving them. Counts splits closed so.
    Lookahead = "lookahead",
    /// (D) Bound a child by the solved children of sibling splits. Counts splits not bounded anew for that.
    Similarity = "similarity",
    /// Bound children by shifted staircases of solved siblings where class 0 is small. Counts splits closed so.
    Staircases = "staircases",
    /// Bound depth two from below in several directions at once. Counts sets of rows bounded so.
    HalfPlanes = "half_planes",
    /// Do not finish bounds that the root cannot use. Counts splits left out so.
    BoundedBounds = "bounded_bounds",
    /// Search depth d - 1 before depth d. Counts points known in advance.
    ShallowFirst = "shallow_first",
    /// Drop columns that are equal or complementary within a subproblem. Counts columns.
    EqualColumns = "equal_columns",
    /// Treat rows that agree in all columns as one. Counts rows saved.
    MergeRows = "merge_rows",
}

/// Which rules are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u32);

impl Rules {
    pub const ALL: Rules = Rules(u32::MAX);
    pub const NONE: Rules = Rules(0);

    #[must_use]
    pub fn with(self, rule: Rule, on: bool) -> Self {
        let bit = 1 << rule as u32;
        Rules(if on { self.0 | bit } else { self.0 & !bit })
    }

    #[inline]
    pub fn on(self, rule: Rule) -> bool {
        self.0 >> rule as u32 & 1 == 1
    }
}
