/** Draws a workflow as Mermaid, DOT, text, or a self-contained SVG with light and dark colours. */
import type { WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import {
  type GraphEdge,
  type GraphNode,
  graphOf,
  type WorkflowGraph,
} from '../../core/workflows/file/graph.ts';
import { graphDotText, linesOf } from '../../core/workflows/file/graph-text.ts';
import { mermaidOf } from '../../core/workflows/file/mermaid.ts';

/** Pixels. */
const box = { width: 180, height: 44, columnGap: 40, rowGap: 36, margin: 24 };
const longestLabel = 22;

const escapeText = (text: string): string =>
  [...text]
    .map((character) =>
      /[&<>"'\p{Cc}\p{Cf}]/u.test(character) ? `&#${character.codePointAt(0)};` : character,
    )
    .join('')
    // XML allows no control characters, not even as references.
    .replace(/&#(?:[0-8]|1[124-9]|2\d|3[01]);/g, '');

const shortened = (text: string): string => {
  const characters = [...text];
  return characters.length > longestLabel ? `${characters.slice(0, longestLabel - 1).join('')}…` : text;
};

const leftOf = ({ column }: GraphNode): number => box.margin + column * (box.width + box.columnGap);
const topOf = ({ row }: GraphNode): number => box.margin + row * (box.height + box.rowGap);

function nodePicture(node: GraphNode): string {
  const [x, y] = [leftOf(node), topOf(node)];
  const ends = node.kind === 'start' || node.kind === 'end';
  const radius = ends ? box.height / 2 : node.gate ? 14 : 4;
  const middle = x + box.width / 2;
  const kind = ends
    ? ''
    : `<text class="kind" x="${middle}" y="${y + 34}">${escapeText(node.gate ? `${node.kind}, asks` : node.kind)}</text>`;
  return [
    `<g><title>${escapeText(node.id)}</title>`,
    `<rect class="${node.gate ? 'gate' : 'step'}" x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="${radius}"/>`,
    `<text x="${middle}" y="${y + (ends ? 27 : 19)}">${escapeText(shortened(node.label))}</text>${kind}</g>`,
  ].join('');
}

const words: Readonly<Partial<Record<GraphEdge['kind'], string>>> = {
  again: 'next round',
  reject: 'rejected',
  timeout: 'no answer',
  fallback: 'no usable answer',
};

function edgePicture(edge: GraphEdge, nodes: ReadonlyMap<string, GraphNode>): string {
  const [from, to] = [nodes.get(edge.from), nodes.get(edge.to)];
  if (!from || !to) return '';
  const back = to.row <= from.row;
  const [x1, y1] = [leftOf(from) + box.width / 2, topOf(from) + box.height];
  const [x2, y2] = [leftOf(to) + box.width / 2, topOf(to)];
  const bend = (y2 - y1) / 2;
  const side = leftOf(from) - box.columnGap / 2;
  const line = back
    ? `M${leftOf(from)} ${y1 - 10} C${side} ${y1} ${side} ${y2} ${leftOf(to)} ${y2 + 10}`
    : `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  const label = [words[edge.kind], edge.label].filter((part) => part).join(': ');
  const [lx, ly] = back ? [side, (y1 + y2) / 2] : [(x1 + x2) / 2, (y1 + y2) / 2];
  const dashed = words[edge.kind] === undefined ? '' : ' dashed';
  const said =
    label === '' ? '' : `<text class="kind" x="${lx}" y="${ly}">${escapeText(shortened(label))}</text>`;
  return `<path class="way${dashed}" d="${line}" marker-end="url(#head)"/>${said}`;
}

const style = `text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1b1f24}.kind{font-size:11px;fill:#57606a}
rect{fill:#fff;stroke:#57606a}.gate{fill:#fff8e5;stroke:#9a6700}.way{fill:none;stroke:#57606a}.dashed{stroke-dasharray:4 3}
@media(prefers-color-scheme:dark){svg{background:#161b22}text{fill:#e6edf3}.kind{fill:#9da7b3}rect{fill:#21262d;stroke:#9da7b3}
.gate{fill:#3a2f10;stroke:#e3b341}.way{stroke:#9da7b3}}`;

function svgOf({ nodes, edges, rows, columns }: WorkflowGraph): string {
  const width = box.margin * 2 + columns * box.width + (columns - 1) * box.columnGap;
  const height = box.margin * 2 + rows * box.height + (rows - 1) * box.rowGap;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const arrow =
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#57606a"/></marker>';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${style}</style><defs>${arrow}</defs>`,
    ...edges.map((edge) => edgePicture(edge, byId)),
    ...nodes.map(nodePicture),
    '</svg>\n',
  ].join('\n');
}

const pictures = { mermaid: mermaidOf, svg: svgOf, dot: graphDotText, ascii: linesOf } as const;
export type PictureFormat = keyof typeof pictures;
export const pictureFormats = Object.keys(pictures) as readonly PictureFormat[];

export const pictureOf = (definition: WorkflowDefinition, format: PictureFormat): string =>
  pictures[format](graphOf(definition));
