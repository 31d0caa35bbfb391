/** Label of a line: its kind and its condition. */
import type { GraphView } from '../../../contract/workflow-methods.ts';
import { t } from '../../../language/texts.ts';

type Edge = Pick<GraphView['edges'][number], 'kind' | 'label'>;

const ways = {
  next: null,
  branch: null,
  join: null,
  again: 'again',
  reject: 'reject',
  timeout: 'timeout',
  fallback: 'fallback',
} as const;

export function edgeWords({ kind, label }: Edge): string {
  const way = ways[kind];
  const said = way === null ? [] : [t(`workflows.edge_${way}`)];
  return [...said, ...(label === null ? [] : [label])].join(': ');
}

const most = 30;
export const shortLabel = (words: string): string => {
  const letters = [...words];
  return letters.length <= most ? words : `${letters.slice(0, most - 1).join('')}…`;
};
