/** Layout of a graph: boxes in the cells assigned by the host, frames around blocks, lines between boxes. */
import type { GraphView } from '../../../contract/workflow-methods.ts';
import { box, cell, cellOf, edge, type GraphCellNode } from './cells.ts';
import { type Line, lineOf } from './lines.ts';

export type BlockKind = 'loop' | 'parallel' | 'reject' | 'timeout' | 'fallback';

export interface Box {
  readonly node: GraphCellNode;
  readonly x: number;
  readonly y: number;
}

export interface GraphFrame {
  readonly key: string;
  readonly kind: BlockKind;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Drawing {
  readonly boxes: readonly Box[];
  /** Outer frames first. */
  readonly frames: readonly GraphFrame[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

const frameGap = 8;
const frameStep = 5;

/** Branch of the enclosing step that a node belongs to. */
function blockOf({ id, inside }: GraphCellNode): BlockKind | null {
  if (inside === null) return null;
  const rest = id.slice(inside.length);
  if (rest.startsWith('[]')) return 'loop';
  if (rest.startsWith('.on_reject.')) return 'reject';
  if (rest.startsWith('.on_timeout.')) return 'timeout';
  return rest.startsWith('.fallback.') ? 'fallback' : 'parallel';
}

interface Block {
  readonly kind: BlockKind;
  readonly inside: string;
  readonly nodes: GraphCellNode[];
}

const keyOf = (block: Pick<Block, 'inside' | 'kind'>): string => `${block.kind} ${block.inside}`;

/** Groups nodes by block; a block contains the nodes of its inner blocks. */
function blocksOf(nodes: readonly GraphCellNode[]): readonly Block[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const blocks = new Map<string, Block>();
  for (const node of nodes) {
    let around: GraphCellNode | undefined = node;
    // Bounds the loop: a cyclic `inside` would be a bug of the host, but must not hang the page.
    for (let depth = 0; around?.inside != null && depth < nodes.length; depth += 1) {
      const kind = blockOf(around) ?? 'parallel';
      const block: Block = { kind, inside: around.inside, nodes: [] };
      const known = blocks.get(keyOf(block)) ?? block;
      known.nodes.push(node);
      blocks.set(keyOf(block), known);
      around = byId.get(around.inside);
    }
  }
  return [...blocks.values()];
}

/** Deeper frames are drawn with the same margin as this level. */
const mostFrames = 4;

/** Number of nested frames inside this one. */
function height(block: Block, all: readonly Block[], depth = 0): number {
  if (depth === mostFrames) return 0;
  const ids = new Set(block.nodes.map(({ id }) => id));
  const within = all.filter((other) => other !== block && ids.has(other.inside));
  return within.length === 0 ? 0 : 1 + Math.max(...within.map((other) => height(other, all, depth + 1)));
}

function frameOf(block: Block, inner: number): GraphFrame {
  const cells = block.nodes.map(cellOf);
  const gap = frameGap + frameStep * Math.min(inner, 3);
  const x = Math.min(...cells.map(({ left }) => left)) - gap;
  const y = Math.min(...cells.map(({ top }) => top)) - gap;
  return {
    key: keyOf(block),
    kind: block.kind,
    x,
    y,
    width: Math.max(...cells.map(({ right }) => right)) + gap - x,
    height: Math.max(...cells.map(({ bottom }) => bottom)) + gap - y,
  };
}

export function drawingOf(graph: GraphView): Drawing {
  const blocks = blocksOf(graph.nodes);
  const heights = new Map(blocks.map((block) => [keyOf(block), height(block, blocks)]));
  const frames = blocks
    .map((block) => frameOf(block, heights.get(keyOf(block)) ?? 0))
    .sort((a, b) => b.width * b.height - a.width * a.height);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const taken = new Set(graph.nodes.map(({ row, column }) => `${row} ${column}`));
  const lines = graph.edges.flatMap((way, index) => {
    const [from, to] = [nodes.get(way.from), nodes.get(way.to)];
    if (from === undefined || to === undefined) return [];
    const lane = heights.get(keyOf({ kind: 'loop', inside: way.to })) ?? 0;
    return [
      lineOf({ ...way, from, to, lane, isTaken: (row, column) => taken.has(`${row} ${column}`) }, index),
    ];
  });
  return {
    boxes: graph.nodes.map((node) => ({ node, x: cellOf(node).left, y: cellOf(node).top })),
    frames,
    lines,
    width: edge.x * 2 + Math.max(0, graph.columns - 1) * cell.width + box.width,
    height: edge.y * 2 + Math.max(0, graph.rows - 1) * cell.height + box.height,
  };
}
