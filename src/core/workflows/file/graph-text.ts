/** Renders a workflow graph as Graphviz DOT, and as plain lines for a terminal. */
import type { GraphEdge, GraphNode, WorkflowGraph } from './graph.ts';

const quoted = (text: string): string =>
  `"${text
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')}"`;

const isEdge = ({ kind }: GraphNode): boolean => kind === 'start' || kind === 'end';

function shapeOf(node: GraphNode): string {
  if (isEdge(node)) return 'oval';
  return node.gate ? 'diamond' : 'box';
}

function words({ kind, label }: GraphEdge): string {
  const way = kind === 'next' || kind === 'branch' || kind === 'join' ? null : kind;
  return [way, label].filter((word) => word !== null).join(': ');
}

/** Uses step paths as node names, because they are unique. */
export function graphDotText({ nodes, edges }: WorkflowGraph): string {
  const boxes = nodes.map(
    (node) =>
      `  ${quoted(node.id)} [shape=${shapeOf(node)},label=${quoted(isEdge(node) ? node.label : `${node.label}: ${node.kind}`)}];`,
  );
  const arrows = edges.map((edge) => {
    const text = words(edge);
    return `  ${quoted(edge.from)} -> ${quoted(edge.to)}${text === '' ? '' : ` [label=${quoted(text)}]`};`;
  });
  return ['digraph workflow {', ...boxes, ...arrows, '}', ''].join('\n');
}

/** One line for each step, followed by its outgoing edges. */
export function linesOf({ nodes, edges }: WorkflowGraph): string {
  const lines = nodes.flatMap((node) => {
    const name = isEdge(node) ? node.id : `${node.id} [${node.kind}${node.gate ? ', asks' : ''}]`;
    const ways = edges.filter(({ from }) => from === node.id);
    return [name, ...ways.map((edge) => `  -> ${edge.to}${words(edge) === '' ? '' : ` (${words(edge)})`}`)];
  });
  return [...lines.map((line) => line.replace(/\p{Cc}/gu, ' ')), ''].join('\n');
}
