import type { GraphView } from '../../../contract/workflow-methods.ts';
import { t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { type ShownStepState, stepKindText, stepStateWords } from '../step-text.ts';
import type { GraphCellNode } from './cells.ts';
import { edgeWords } from './edge-text.ts';

interface ListOf {
  readonly graph: GraphView;
  readonly states: ReadonlyMap<string, ShownStepState> | null;
}

/** The graph as a text list, for screen readers. */
export function GraphList({ graph, states }: ListOf) {
  const names = new Map(graph.nodes.map((node) => [node.id, nameOf(node)]));
  const onwards = (id: string): readonly string[] =>
    graph.edges
      .filter(({ from }) => from === id)
      .map((edge) => {
        const name = names.get(edge.to) ?? visibleLine(edge.to);
        const words = visibleLine(edgeWords(edge));
        return words === '' ? name : t('workflows.toIf', { name, words });
      });
  return (
    <details className="flow-list">
      <summary>{t('workflows.asList')}</summary>
      <ol>
        {graph.nodes
          .filter(({ kind }) => kind !== 'end')
          .map((node) => (
            <li key={node.id}>
              <p>
                <bdi>{nameOf(node)}</bdi>
                {node.kind !== 'start' && ` · ${stepKindText(node.kind)}`}
                {node.gate && ` · ${t('workflows.personDecides')}`}
                {states !== null && node.kind !== 'start' && (
                  <strong> {stepStateWords(states.get(node.id) ?? 'idle')}</strong>
                )}
              </p>
              <p className="fine">
                <bdi>{t('workflows.onwards', { names: onwards(node.id).join('; ') })}</bdi>
              </p>
            </li>
          ))}
      </ol>
    </details>
  );
}

const nameOf = ({ kind, label }: GraphCellNode): string =>
  kind === 'end'
    ? t('workflows.kind_end')
    : kind === 'start'
      ? t('workflows.kind_start')
      : visibleLine(label);
