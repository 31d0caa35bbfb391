/**
 * Routes a line between two boxes: straight down, through the gap between rows, or along the side of a
 * column.
 */
import type { GraphView } from '../../../contract/workflow-methods.ts';
import { cellOf, type GraphCell, type GraphCellNode } from './cells.ts';

type Edge = GraphView['edges'][number];

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly key: string;
  readonly kind: Edge['kind'];
  /** SVG path data. */
  readonly path: string;
  readonly label: string | null;
  readonly labelAt: Point;
  readonly from: string;
  readonly to: string;
}

export interface Way {
  readonly from: GraphCellNode;
  readonly to: GraphCellNode;
  readonly kind: Edge['kind'];
  readonly label: string | null;
  /** For a line back: number of loops inside this one; outer loops run further out. */
  readonly lane: number;
  isTaken(row: number, column: number): boolean;
}

const gutter = 26;
/** Lines other than `next` leave the box at offsets of their own, so that they do not overlap. */
const asides: Partial<Record<Edge['kind'], Point>> = {
  reject: { x: 16, y: 28 },
  timeout: { x: 36, y: 16 },
  fallback: { x: 22, y: gutter },
};
const lanes = { again: 16, past: 30, step: 7 } as const;

function isFree({ from, to, isTaken }: Way): boolean {
  for (let row = from.row + 1; row < to.row; row += 1) if (isTaken(row, from.column)) return false;
  return true;
}

const middle = ({ left, right }: GraphCell): number => (left + right) / 2;
const waist = ({ top, bottom }: GraphCell): number => (top + bottom) / 2;

const back = (way: Way, from: GraphCell, to: GraphCell): readonly Point[] => {
  const x = to.left - lanes.again - lanes.step * Math.min(way.lane, 2);
  const home = [
    { x, y: waist(to) },
    { x: to.left, y: waist(to) },
  ];
  if (way.from.kind === 'for_each' || way.from.kind === 'parallel')
    return [{ x: from.left, y: waist(from) }, { x, y: waist(from) }, ...home];
  const y = from.bottom + gutter / 2;
  return [{ x: middle(from), y: from.bottom }, { x: middle(from), y }, { x, y }, ...home];
};

/** Routes around boxes below in the same column. */
function around(from: GraphCell, to: GraphCell, sameColumn: boolean): readonly Point[] {
  const x = from.left - lanes.past;
  const y = sameColumn ? waist(to) : to.top - gutter;
  const arrival = sameColumn
    ? [{ x: to.left, y }]
    : [
        { x: middle(to), y },
        { x: middle(to), y: to.top },
      ];
  return [{ x: from.left, y: waist(from) }, { x, y: waist(from) }, { x, y }, ...arrival];
}

function pointsOf(way: Way): readonly Point[] {
  const [from, to] = [cellOf(way.from), cellOf(way.to)];
  if (way.kind === 'again' || way.to.row <= way.from.row) return back(way, from, to);
  const sameColumn = way.from.column === way.to.column;
  if (way.to.row > way.from.row + 1 && !isFree(way)) return around(from, to, sameColumn);
  if (sameColumn) {
    return [
      { x: middle(from), y: from.bottom },
      { x: middle(from), y: to.top },
    ];
  }
  const aside = asides[way.kind] ?? { x: 0, y: gutter };
  const x = middle(from) + aside.x;
  const y = way.kind === 'next' || way.kind === 'join' ? to.top - gutter : from.bottom + aside.y;
  return [
    { x, y: from.bottom },
    { x, y },
    { x: middle(to), y },
    { x: middle(to), y: to.top },
  ];
}

const corner = 7;

const towards = (from: Point, to: Point, by: number): Point => {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(by, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
};

/** Rounds the corners. */
function pathOf(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (before === undefined) return `M${point.x} ${point.y}`;
      if (after === undefined) return `L${point.x} ${point.y}`;
      const [bend, onwards] = [towards(point, before, corner), towards(point, after, corner)];
      return `L${bend.x} ${bend.y}Q${point.x} ${point.y} ${onwards.x} ${onwards.y}`;
    })
    .join('');
}

/** Puts the label beside the last segment, near its target; for a line back, below its turn. */
function labelPlace(points: readonly Point[]): Point {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) return { x: 0, y: 0 };
  if (before.y === last.y) {
    const turn = points.at(-3) ?? before;
    return { x: turn.x + 6, y: turn.y + 14 };
  }
  return { x: last.x + 8, y: points.length === 2 ? (before.y + last.y) / 2 + 4 : last.y - 10 };
}

export function lineOf(way: Way, index: number): Line {
  const points = pointsOf(way);
  return {
    key: `${index}`,
    kind: way.kind,
    path: pathOf(points),
    label: way.label,
    labelAt: labelPlace(points),
    from: way.from.id,
    to: way.to.id,
  };
}
