//! The binding: one class that holds digested data and answers questions about them. No algorithm lives here.
//!
//! The GIL is released while the core works; every few milliseconds the calling thread takes it to let Python handle
//! signals and to report progress. Ctrl-C ends the search, not the answer: it comes back marked as stopped.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use paretree_core::data::{Cells, Data, Input};
use paretree_core::error::Error;
use paretree_core::goal::Goal;
use paretree_core::kernel::Machine;
use paretree_core::limits::{Limits, Reason, Signals};
use paretree_core::rules::{Rule, Rules};
use paretree_core::solver::{self, Answer, Depth, Layer, MOST_DEPTH, Setting, digest};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// 0/1 data, digested once, limits on trees, and what earlier questions found out.
#[pyclass(module = "paretree._core")]
struct Solver {
    solver: solver::Solver,
    stopped: Option<Reason>,
    halt: Option<u64>,
}

/// Seconds between two progress records.
const REPORT_EVERY: f64 = 0.1;

/// When to stop: seconds, bytes, and a callable that is told of progress.
type Until = (Option<f64>, Option<u64>, Option<Py<PyAny>>);

#[pymethods]
impl Solver {
    /// `cells` is a C-contiguous uint8 matrix, or `(shape, indptr, indices)` of its sparse columns.
    #[new]
    #[pyo3(signature = (cells, labels, weights, *, nodes, least, rules, machine, threads, cache, until))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        cells: Matrix<'_>,
        labels: PyReadonlyArray1<'_, u8>,
        weights: Option<PyReadonlyArray1<'_, u32>>,
        nodes: Option<u32>,
        least: u32,
        rules: Vec<String>,
        machine: Option<String>,
        threads: usize,
        cache: usize,
        until: Until,
    ) -> PyResult<Self> {
        let (rules, machine) = (chosen_rules(&rules)?, chosen_machine(machine)?);
        let (rows, columns) = cells.shape();
        let cells = match &cells {
            Matrix::Dense(cells) => Cells::Dense(cells.as_slice()?),
            Matrix::Sparse(_, starts, rows) => Cells::Sparse { starts: starts.as_slice()?, rows: rows.as_slice()? },
        };
        let labels = labels.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        let input = Input { rows, columns, cells, labels, weights };
        let (data, stopped): (Data, _) = watched(py, until, |limits| {
            digest(&input, rules.on(Rule::MergeRows), limits).map(|data| (data, limits.signals.stopped()))
        })?;
        let setting = Setting { nodes, least, rules, machine, threads, cache };
        Ok(Solver { solver: solver::Solver::new(data, setting).map_err(refused)?, stopped, halt: None })
    }

    /// Whether the positives are the lighter class, along whose errors windows are laid.
    #[getter]
    fn positives_first(&self) -> bool {
        self.solver.data().positives_first
    }

    /// Number of distinct columns.
    #[getter]
    fn columns(&self) -> usize {
        self.solver.data().columns.len()
    }

    /// The least weighted error of any classifier of the rows, tree or not.
    fn any_classifier(&self, weights: (u64, u64)) -> u128 {
        let (data, (fp, fneg)) = (self.solver.data(), weights);
        data.any_classifier(if data.positives_first { (fneg, fp) } else { (fp, fneg) })
    }

    /// Ends the next question after so many checks of its limits: for tests that end one at every possible place.
    fn halt_after(&mut self, checks: u64) {
        self.halt = Some(checks);
    }

    /// Number of layers of trees of a depth.
    fn layers(&self, depth: u32) -> PyResult<usize> {
        Ok(self.solver.budget(depth).map_err(refused)?.layers(depth))
    }

    /// The fronts within the limits.
    #[pyo3(signature = (depth, *, supported, until))]
    fn front<'py>(
        &mut self,
        py: Python<'py>,
        depth: u32,
        supported: bool,
        until: Until,
    ) -> PyResult<Bound<'py, PyDict>> {
        let goal = if supported { Goal::Supported } else { Goal::All };
        self.ask(py, until, |solver, limits| solver.front(depth, goal, limits))
    }

    /// One of the points whose weight is least, if it is below a value.
    #[pyo3(signature = (depth, toward, weights, below, *, splits=None, until))]
    #[allow(clippy::too_many_arguments)]
    fn least<'py>(
        &mut self,
        py: Python<'py>,
        depth: u32,
        toward: u32,
        weights: (u64, u64),
        below: u128,
        splits: Option<usize>,
        until: Until,
    ) -> PyResult<Bound<'py, PyDict>> {
        let depth = Depth { depth, toward, splits };
        self.ask(py, until, |solver, limits| solver.least(depth, weights, below, limits))
    }

    /// The points that windows, one for each layer, leave useful.
    #[pyo3(signature = (depth, toward, windows, weights, *, splits=None, until))]
    #[allow(clippy::too_many_arguments)]
    fn useful<'py>(
        &mut self,
        py: Python<'py>,
        depth: u32,
        toward: u32,
        windows: Vec<PyReadonlyArray1<'_, u32>>,
        weights: Vec<(u64, u64)>,
        splits: Option<usize>,
        until: Until,
    ) -> PyResult<Bound<'py, PyDict>> {
        let windows = windows.iter().map(|window| Ok(window.as_slice()?.to_vec())).collect::<PyResult<_>>()?;
        let depth = Depth { depth, toward, splits };
        self.ask(py, until, |solver, limits| solver.useful(depth, windows, &weights, limits))
    }
}

impl Solver {
    fn ask<'py>(
        &mut self,
        py: Python<'py>,
        until: Until,
        question: impl FnOnce(&mut solver::Solver, &mut Limits) -> Result<Answer, Error> + Send,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Solver { solver, stopped, halt } = self;
        let halt = halt.take().unwrap_or(u64::MAX);
        let answer = watched(py, until, |limits| {
            let limits = &mut limits.lend().no_longer_than(halt);
            if let Some(reason) = *stopped {
                limits.signals.stop(reason);
            }
            question(solver, limits)
        })?;
        describe(py, answer)
    }
}

/// Works without the GIL, under limits.
fn watched<T: Send>(
    py: Python<'_>,
    (time_limit, memory_limit, progress): Until,
    work: impl FnOnce(&mut Limits) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut watch = Watch::new(progress);
    let done = py.detach(|| {
        let mut hook = |signals: &Signals, elapsed| watch.look(signals, elapsed);
        work(&mut Limits::new(Instant::now(), seconds(time_limit), memory_limit, &mut hook))
    });
    watch.end()?;
    done.map_err(refused)
}

/// The cells as the caller has them: dense, or `(shape, column starts, rows)`.
#[derive(FromPyObject)]
enum Matrix<'py> {
    Dense(PyReadonlyArray2<'py, u8>),
    Sparse((usize, usize), PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>),
}

impl Matrix<'_> {
    fn shape(&self) -> (usize, usize) {
        match self {
            Matrix::Dense(cells) => (cells.as_array().nrows(), cells.as_array().ncols()),
            Matrix::Sparse(shape, ..) => *shape,
        }
    }
}

/// What happens every few milliseconds: signals, and progress now and then.
struct Watch {
    progress: Option<Py<PyAny>>,
    next: f64,
    error: Option<PyErr>,
}

impl Watch {
    fn new(progress: Option<Py<PyAny>>) -> Self {
        Watch { progress, next: REPORT_EVERY, error: None }
    }

    fn look(&mut self, signals: &Signals, elapsed: Duration) -> bool {
        Python::attach(|py| {
            if let Err(error) = py.check_signals() {
                self.note(py, error);
                return false;
            }
            let seconds = elapsed.as_secs_f64();
            let Some(progress) = self.progress.as_ref().filter(|_| seconds >= self.next) else { return true };
            let progress = progress.clone_ref(py);
            self.next = seconds + REPORT_EVERY;
            let counts = [&signals.splits_done, &signals.splits, &signals.points].map(|count| count.load(Relaxed));
            let record = (signals.depth.load(Relaxed), counts[0], counts[1], counts[2], seconds);
            progress.call1(py, record).map_err(|error| self.note(py, error)).is_ok()
        })
    }

    /// Ctrl-C asks for what there is; any other exception is the caller's.
    fn note(&mut self, py: Python<'_>, error: PyErr) {
        if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
            self.error = Some(error);
        }
    }

    fn end(self) -> PyResult<()> {
        self.error.map_or(Ok(()), Err)
    }
}

fn seconds(time_limit: Option<f64>) -> Option<Duration> {
    // A limit beyond what a Duration holds is none.
    time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok())
}

fn refused(error: Error) -> PyErr {
    PyValueError::new_err(error.0)
}

fn chosen_rules(names: &[String]) -> PyResult<Rules> {
    names.iter().try_fold(Rules::NONE, |rules, name| match Rule::ALL.iter().find(|rule| rule.name() == name) {
        Some(rule) => Ok(rules.with(*rule, true)),
        None => {
            let known: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
            Err(PyValueError::new_err(format!("unknown rule {name:?}; the rules are {}", known.join(", "))))
        }
    })
}

fn chosen_machine(name: Option<String>) -> PyResult<Machine> {
    let Some(name) = name else { return Ok(Machine::best()) };
    Machine::named(&name).ok_or_else(|| {
        let known: Vec<&str> = Machine::available().into_iter().map(Machine::name).collect();
        PyValueError::new_err(format!("no kernels {name:?} on this machine; there are {}", known.join(", ")))
    })
}

/// An answer as plain arrays.
fn describe(py: Python<'_>, answer: Answer) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    let layers = answer.layers.into_iter().map(|layer| describe_layer(py, layer)).collect::<PyResult<Vec<_>>>()?;
    out.set_item("layers", PyList::new(py, layers)?)?;
    let reason = answer.stopped.map(|reason| match reason {
        Reason::Time => "time_limit",
        Reason::Memory => "memory_limit",
        Reason::Interrupt => "interrupt",
    });
    out.set_item("stopped", reason)?;
    out.set_item("lows", answer.lows)?;
    let stats = PyDict::new(py);
    stats.set_item("subproblems", answer.stats.fronts)?;
    stats.set_item("fruitful", answer.stats.fruitful)?;
    stats.set_item("blocks", answer.stats.blocks)?;
    stats.set_item("pairs", answer.stats.pairs)?;
    for rule in Rule::ALL {
        stats.set_item(rule.name(), answer.stats.rules[*rule as usize])?;
    }
    out.set_item("stats", stats)?;
    Ok(out)
}

fn describe_layer(py: Python<'_>, layer: Layer) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    let (fp, fneg): (Vec<i64>, Vec<i64>) =
        layer.counts.iter().map(|&(fp, fneg)| (i64::from(fp), i64::from(fneg))).unzip();
    out.set_item("fp", fp.into_pyarray(py))?;
    out.set_item("fn", fneg.into_pyarray(py))?;
    let starts: Vec<i64> = layer.trees.starts.into_iter().map(i64::from).collect();
    out.set_item("starts", starts.into_pyarray(py))?;
    out.set_item("column", PyArray1::from_vec(py, layer.trees.column))?;
    out.set_item("zero", PyArray1::from_vec(py, layer.trees.zero))?;
    out.set_item("one", PyArray1::from_vec(py, layer.trees.one))?;
    for (class, name) in ["negatives", "positives"].into_iter().enumerate() {
        let reached: Vec<i64> = layer.trees.reached.iter().map(|weights| i64::from(weights[class])).collect();
        out.set_item(name, reached.into_pyarray(py))?;
    }
    out.set_item("label", PyArray1::from_vec(py, layer.trees.label))?;
    Ok(out)
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Solver>()?;
    module.add("MOST_DEPTH", MOST_DEPTH)?;
    module.add("RULES", Rule::ALL.iter().map(|rule| (rule.name(), rule.help().trim())).collect::<Vec<_>>())?;
    module.add("MACHINES", Machine::available().into_iter().map(Machine::name).collect::<Vec<_>>())
}
