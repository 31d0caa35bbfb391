/**
 * Renders a workflow graph as Mermaid text. Characters that could be read as syntax or markup become
 * entities.
 */
import type { GraphEdge, GraphNode, WorkflowGraph } from './graph.ts';

const label = (text: string): string => {
  const shown = text.length > 80 ? `${[...text].slice(0, 79).join('')}…` : text;
  return shown.replace(/[^\p{L}\p{N} _./:…-]/gu, (character) => `#${character.codePointAt(0)};`);
};

function shape({ kind, gate, label: name }: GraphNode): string {
  const text = kind === 'start' || kind === 'end' ? label(name) : `${label(name)}<br/>${kind}`;
  if (kind === 'start' || kind === 'end') return `(["${text}"])`;
  if (gate) return `{{"${text}"}}`;
  return kind === 'for_each' || kind === 'parallel' ? `[["${text}"]]` : `["${text}"]`;
}

const words: Readonly<Record<GraphEdge['kind'], string | null>> = {
  next: null,
  branch: null,
  join: null,
  again: 'next round',
  reject: 'rejected',
  timeout: 'no answer',
  fallback: 'no usable answer',
};

/** Nodes are numbered, because a path may contain characters that an identifier cannot. */
export function mermaidOf(graph: WorkflowGraph): string {
  const numbers = new Map(graph.nodes.map(({ id }, index) => [id, `n${index}`]));
  const nodes = graph.nodes.map((node) => `  ${numbers.get(node.id)}${shape(node)}`);
  const edges = graph.edges.map(({ from, to, kind, label: condition }) => {
    const text = [words[kind], condition].filter((word) => word !== null).join(': ');
    const arrow = kind === 'next' || kind === 'branch' || kind === 'join' ? '-->' : '-.->';
    return `  ${numbers.get(from)} ${arrow}${text === '' ? '' : `|"${label(text)}"|`} ${numbers.get(to)}`;
  });
  return ['flowchart TD', ...nodes, ...edges, ''].join('\n');
}
