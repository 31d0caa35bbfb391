import { t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { Icon } from '../../mark/icon.tsx';
import { StepSign } from '../step-icon.tsx';
import { kindIcon, type ShownStepState, stepKindText, stepStateWords } from '../step-text.ts';
import { box as size } from './cells.ts';
import type { Box } from './layout.ts';

interface NodeOf {
  readonly box: Box;
  /** `null` if the graph shows no run. */
  readonly state: ShownStepState | null;
  readonly chosen: boolean;
  readonly isStop: boolean;
  onChoose(): void;
}

const isEnd = (kind: string): boolean => kind === 'start' || kind === 'end';

/** Gates have cut corners, the start and the end are round: the shape tells the kind without its colour. */
function shapeOf(kind: string, gate: boolean): string {
  const { width: w, height: h } = size;
  if (gate) return `M12 0H${w - 12}L${w} ${h / 2} ${w - 12} ${h}H12L0 ${h / 2}z`;
  const r = isEnd(kind) ? h / 2 : 8;
  return `M${r} 0H${w - r}Q${w} 0 ${w} ${r}V${h - r}Q${w} ${h} ${w - r} ${h}H${r}Q0 ${h} 0 ${h - r}V${r}Q0 0 ${r} 0z`;
}

export function GraphNodeBox({ box, state, chosen, isStop, onChoose }: NodeOf) {
  const { node, x, y } = box;
  const shown = state !== null && !isEnd(node.kind);
  const block = node.kind === 'for_each' || node.kind === 'parallel' || node.kind === 'workflow';
  const label = node.kind === 'end' ? t('workflows.kind_end') : visibleLine(node.label);
  const kind = node.gate && node.kind !== 'input' ? t('workflows.kind_approval') : stepKindText(node.kind);
  const words = isEnd(node.kind)
    ? label
    : shown
      ? t('workflows.nodeIs', { label, kind, state: stepStateWords(state) })
      : t('workflows.node', { label, kind });
  const look = `flow-node${node.gate ? ' is-gate' : ''}${shown ? ` at-${state}` : ''}${chosen ? ' is-chosen' : ''}`;
  return (
    <g className={look} transform={`translate(${x} ${y})`}>
      <path className="flow-shape" d={shapeOf(node.kind, node.gate)} />
      {block && (
        <path className="flow-inner" d={`M6 4V${size.height - 4}M${size.width - 6} 4V${size.height - 4}`} />
      )}
      <foreignObject width={size.width} height={size.height}>
        <button
          type="button"
          data-node={node.id}
          className={`flow-button${isEnd(node.kind) ? ' is-end' : ''}`}
          tabIndex={isStop ? 0 : -1}
          aria-pressed={chosen}
          title={words}
          onClick={onChoose}
        >
          <Icon name={node.gate && node.kind !== 'input' ? 'gate' : kindIcon(node.kind)} size={16} />
          <span className="flow-words">
            <bdi className="flow-name">{label}</bdi>
            {!isEnd(node.kind) && <span className="flow-kind">{kind}</span>}
          </span>
          {shown && (
            <>
              <StepSign state={state} />
              <span className="visually-hidden">{stepStateWords(state)}</span>
            </>
          )}
        </button>
      </foreignObject>
    </g>
  );
}
