/** Grid of the graph, in px at scale 1. */
import type { GraphView } from '../../../contract/workflow-methods.ts';

export type GraphCellNode = GraphView['nodes'][number];

export interface GraphCell {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const box = { width: 176, height: 48 } as const;
export const cell = { width: 240, height: 100 } as const;
/** Space between the picture's border and the first box, used by the lines of loops. */
export const edge = { x: 56, y: 20 } as const;

export const cellOf = ({ row, column }: Pick<GraphCellNode, 'row' | 'column'>): GraphCell => ({
  left: edge.x + column * cell.width,
  top: edge.y + row * cell.height,
  right: edge.x + column * cell.width + box.width,
  bottom: edge.y + row * cell.height + box.height,
});
