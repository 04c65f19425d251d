"""Draws the front of `breast_cancer.py` as docs/front.svg, by hand, so that it needs no plotting package."""

from pathlib import Path

from breast_cancer import quartiles
from paretree import ParetoFront, pareto_front
from sklearn.datasets import load_breast_cancer

WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP = 720, 380, 64, 52, 16, 16
DEPTHS = {1: "#b0b7c3", 2: "#5b8db8", 3: "#c8553d"}


def place(fp: float, fn: float, most: tuple[float, float]) -> tuple[float, float]:
    """Where a point goes."""
    x = LEFT + (WIDTH - LEFT - RIGHT) * fp / most[0]
    y = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * fn / most[1]
    return round(x, 1), round(y, 1)


def drawn(front: ParetoFront, depth: int, most: tuple[float, float]) -> list[str]:
    """A front as a staircase with a dot for each point that fits."""
    points = [
        (fp, fn) for fp, fn in zip(front.fp.tolist(), front.fn.tolist(), strict=True) if fp <= most[0] and fn <= most[1]
    ]
    colour, steps = DEPTHS[depth], []
    for i, (fp, fn) in enumerate(points):
        steps += [place(fp, points[i - 1][1], most)] if i else []
        steps.append(place(fp, fn, most))
    line = " ".join(f"{x},{y}" for x, y in steps)
    parts = [f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>']
    for fp, fn in points:
        x, y = place(fp, fn, most)
        parts.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>')
    y = TOP + 20 * depth
    parts.append(f'<text x="{WIDTH - RIGHT - 150}" y="{y}" fill="{colour}">depth {depth}: {len(front)} points</text>')
    return parts


def main() -> None:
    """Writes the picture."""
    data = load_breast_cancer(as_frame=True)
    X, y = quartiles(data.data), data.target.map({0: "malignant", 1: "benign"})
    most = (80, 60)
    parts = []
    for fp in range(0, 81, 20):
        x, _ = place(fp, 0, most)
        parts.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{fp}</text>')
    for fn in range(0, 61, 20):
        _, at = place(0, fn, most)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at}" y2="{at}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4}" text-anchor="end">{fn}</text>')
    middle = (HEIGHT - BOTTOM + TOP) / 2
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 10}" text-anchor="middle">false positives</text>')
    parts.append(f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">false negatives</text>')
    for depth in DEPTHS:
        parts += drawn(pareto_front(X, y, max_depth=depth, pos_label="malignant"), depth, most)
    style = 'font-family="sans-serif" font-size="14" fill="#333333"'
    body = "\n".join(parts)
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {style}>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n'
    )
    Path(__file__).parent.parent.joinpath("docs", "front.svg").write_text(text)


if __name__ == "__main__":
    main()
