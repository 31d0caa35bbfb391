import { expect, it } from 'vitest';
import type { GraphView } from '../../../contract/workflow-methods.ts';
import { box } from './cells.ts';
import { drawingOf } from './layout.ts';

const node = (id: string, row: number, column: number, inside: string | null = null, kind = 'run') => ({
  id,
  kind,
  label: id,
  gate: false,
  inside,
  row,
  column,
});

const graph: GraphView = {
  nodes: [
    node('start', 0, 0, null, 'start'),
    node('loop', 1, 0, null, 'for_each'),
    node('loop[].send', 2, 0, 'loop'),
    node('gate', 3, 0, null, 'approval'),
    node('gate.on_reject.undo', 4, 1, 'gate'),
    node('end', 5, 0, null, 'end'),
  ],
  edges: [
    { from: 'start', to: 'loop', kind: 'next', label: null },
    { from: 'loop', to: 'loop[].send', kind: 'branch', label: 'each of $list.json' },
    { from: 'loop[].send', to: 'loop', kind: 'again', label: null },
    { from: 'loop', to: 'gate', kind: 'next', label: null },
    { from: 'gate', to: 'gate.on_reject.undo', kind: 'reject', label: null },
    { from: 'gate', to: 'end', kind: 'next', label: null },
    { from: 'gate', to: 'nowhere', kind: 'next', label: null },
  ],
  rows: 6,
  columns: 2,
};

/** Corners of an SVG path. */
const points = (path: string): [number, number][] =>
  [...path.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

it('draws a frame around a loop and around a reject branch, each enclosing only its own steps', () => {
  const { frames, boxes } = drawingOf(graph);
  expect(frames.map(({ kind }) => kind).sort()).toEqual(['loop', 'reject']);
  const loop = frames.find(({ kind }) => kind === 'loop');
  const inside = boxes.filter(
    ({ y }) => loop !== undefined && y >= loop.y && y + box.height <= loop.y + loop.height,
  );
  expect(inside.map((one) => one.node.id)).toEqual(['loop[].send']);
});

it('draws no line through an unrelated box', () => {
  const { lines, boxes } = drawingOf(graph);
  for (const { path, from, to } of lines) {
    const all = points(path);
    for (const [index, [x, y]] of all.entries()) {
      const [px, py] = all[index - 1] ?? [x, y];
      for (const one of boxes.filter(({ node: { id } }) => id !== from && id !== to)) {
        const across =
          Math.max(x, px) > one.x &&
          Math.min(x, px) < one.x + box.width &&
          Math.max(y, py) > one.y &&
          Math.min(y, py) < one.y + box.height;
        expect(across, `${from} to ${to} crosses ${one.node.id}`).toBe(false);
      }
    }
  }
});

it('omits a line without a target, and terminates on blocks that refer to each other', () => {
  expect(drawingOf(graph).lines).toHaveLength(6);
  const knot = { ...graph, nodes: [node('a', 0, 0, 'b'), node('b', 1, 0, 'a')], edges: [] };
  expect(() => drawingOf(knot)).not.toThrow();
});
