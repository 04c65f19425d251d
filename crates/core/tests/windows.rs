//! Contract 1: a search returns exactly the points that its windows leave useful, whatever the cache remembers from
//! searches under other windows or from searches that were cut off; and the lows never exceed what trees attain.

mod common;

use common::{Matrix, Random, any_rules, cases, seed};
use paretree_core::block::{Block, Ground, Scratch};
use paretree_core::bound::UNBOUNDED;
use paretree_core::budget::Budget;
use paretree_core::cache::Cache;
use paretree_core::data::Data;
use paretree_core::directions::Directions;
use paretree_core::kernel::Machine;
use paretree_core::limits::Limits;
use paretree_core::naive;
use paretree_core::rules::Rule;
use paretree_core::staircase::Window;
use paretree_core::worker::{Pass, Worker};

/// The points of a front, as (x, y), that a window leaves useful.
fn useful(front: &[(u32, u32)], window: &Window) -> Vec<(u32, u32)> {
    front.iter().copied().filter(|&(x, y)| window.useful(x, y)).collect()
}

/// Limits that never rise, some of them tight around the front, some far from it.
fn any_window(random: &mut Random, total: [u32; 2], front: &[(u32, u32)]) -> Window {
    let mut window = Window::everything(total);
    for &(x, y) in front {
        match random.below(5) {
            0 => window.cut(x, y),
            1 => window.cut(x + random.below(2) as u32, y + random.below(2) as u32),
            2 => window.cut(random.below(total[0] as usize + 1) as u32, y + random.below(3) as u32),
            _ => {}
        }
    }
    window
}

#[test]
fn searches_find_what_their_windows_leave_useful() {
    for case in 0..cases(4000) {
        let random = &mut Random(seed() << 32 | 3 << 28 | case);
        let matrix = Matrix::random(random, 30, 6);
        let rules = any_rules(random);
        let data = Data::new(&matrix.input(), rules.on(Rule::MergeRows), &mut Limits::unwatched());
        let data = data.expect("good input").expect("no limit");
        if data.columns.is_empty() {
            continue;
        }
        let depth = 1 + random.below(4) as u32;
        let nodes = random.one_in(2).then(|| random.below(9) as u32);
        let least = if random.one_in(2) { 1 } else { 1 + random.below(4) as u32 };
        let machines = Machine::available();
        let machine = machines[random.below(machines.len())];
        let ground = Ground::new(data, machine, least, rules.on(Rule::EqualColumns));
        let data = &ground.data;
        let budget = Budget::new(nodes, depth);
        let cache = Cache::new(1 << 24, rules.on(Rule::Cache));
        let layers = budget.layers(depth);
        let fronts: Vec<Vec<(u32, u32)>> = (0..layers)
            .map(|layer| {
                let nodes = nodes.map(|_| layer as u32);
                let front = naive::front(&matrix.input(), depth, nodes, least);
                let mut points: Vec<(u32, u32)> = front.iter().map(|&(fp, fneg)| data.counts(fp, fneg)).collect();
                points.sort_unstable();
                points
            })
            .collect();
        let pass = Pass {
            ground: &ground,
            budget: &budget,
            directions: Directions::near(&fronts[layers - 1], data),
            rules,
            cache: &cache,
            ranks: (0..data.columns.len() as u32).collect(),
        };
        let mut worker = Worker::<u16>::new(&pass, Limits::unwatched());
        for _ in 0..6 {
            // A search that is cut off somewhere leaves nothing in the cache that could mislead the next one.
            let mut hurried = Worker::<u16>::new(&pass, Limits::after(random.below(60) as u64));
            let windows: Vec<Window> = fronts.iter().map(|front| any_window(random, data.total, front)).collect();
            let root = Block::root(&ground, &mut Scratch::default(), &mut worker.limits).expect("no limit");
            let caps = vec![UNBOUNDED; layers * pass.directions.len()];
            if let Ok((mut known, _)) = hurried.bounds(root, depth, &caps) {
                let _cut_off = hurried.fronts(&mut known, depth, &windows);
            }
            let root = Block::root(&ground, &mut Scratch::default(), &mut worker.limits).expect("no limit");
            let windows: Vec<Window> = fronts.iter().map(|front| any_window(random, data.total, front)).collect();
            let caps: Vec<i32> = (0..layers * pass.directions.len())
                .map(|_| if random.one_in(2) { UNBOUNDED } else { random.below(60) as i32 })
                .collect();
            let (mut known, bounded) = worker.bounds(root, depth, &caps).expect("no limit");
            for (layer, front) in fronts.iter().enumerate() {
                for (k, (a, b)) in pass.directions.iter().enumerate() {
                    let least = front.iter().map(|&(x, y)| a * x as i32 + b * y as i32).min().expect("a point");
                    let at = layer * pass.directions.len() + k;
                    assert!(bounded.low[at] <= least, "case {case}: low {} above {least}", bounded.low[at]);
                    let attained = ground.least == 1 && bounded.exact[at];
                    assert!(
                        !attained || bounded.low[at] == least,
                        "case {case}: {} called exact, {least} is",
                        bounded.low[at]
                    );
                }
            }
            let found = worker.fronts(&mut known, depth, &windows).expect("no limit");
            for (layer, found) in found.iter().enumerate() {
                let found: Vec<(u32, u32)> = found.iter().map(|point| (point.x, point.y)).collect();
                assert_eq!(
                    found,
                    useful(&fronts[layer], &windows[layer]),
                    "case {case} layer {layer} depth {depth} {nodes:?}"
                );
            }
        }
    }
}
