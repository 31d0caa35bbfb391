import { type KeyboardEvent, type ReactNode, type RefObject, useId, useMemo, useRef } from 'react';
import type { GraphView } from '../../../contract/workflow-methods.ts';
import { t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import type { ShownStepState } from '../step-text.ts';
import { edgeWords, shortLabel } from './edge-text.ts';
import { GraphNodeBox } from './graph-node.tsx';
import { type Box, type Drawing, drawingOf, type GraphFrame } from './layout.ts';
import type { Line } from './lines.ts';

interface PictureOf {
  readonly graph: GraphView;
  /** State by node; `null` if the graph shows no run. */
  readonly states: ReadonlyMap<string, ShownStepState> | null;
  readonly chosen: string | null;
  readonly scale: number;
  onChoose(node: string): void;
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The graph is one tab stop; arrow keys move between boxes. */
export function GraphPicture({ graph, states, chosen, scale, onChoose }: PictureOf) {
  const drawing = useMemo(() => drawingOf(graph), [graph]);
  const place = useRef<SVGSVGElement>(null);
  const stop = drawing.boxes.find(({ node }) => node.id === chosen) ?? drawing.boxes[0];
  const walk = (event: KeyboardEvent): void => {
    const way = steps[event.key];
    if (way === undefined || stop === undefined) return;
    const next = nearest(drawing.boxes, stop, way);
    event.preventDefault();
    event.stopPropagation();
    if (next === null) return;
    onChoose(next.node.id);
    buttonOf(place, next.node.id)?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing
    <svg
      ref={place}
      className={`flow${states === null ? '' : ' is-live'}`}
      width={drawing.width * scale}
      height={drawing.height * scale}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      onKeyDown={walk}
      role="group"
      aria-label={t('workflows.picture')}
    >
      <Frames frames={drawing.frames} />
      <Lines drawing={drawing} states={states} />
      {drawing.boxes.map((box) => (
        <GraphNodeBox
          key={box.node.id}
          box={box}
          state={states === null ? null : (states.get(box.node.id) ?? 'idle')}
          chosen={box.node.id === chosen}
          isStop={box === stop}
          onChoose={() => onChoose(box.node.id)}
        />
      ))}
    </svg>
  );
}

const buttonOf = (place: RefObject<SVGSVGElement | null>, id: string): HTMLElement | undefined =>
  [...(place.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])].find(
    ({ dataset }) => dataset.node === id,
  );

/** The list of steps is the accessible form. */
// biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a drawing takes no focus
const Unseen = ({ children }: { children: ReactNode }) => <g aria-hidden="true">{children}</g>;

const Frames = ({ frames }: { frames: readonly GraphFrame[] }) => (
  <Unseen>
    {frames.map(({ key, kind, ...place }) => (
      <rect key={key} className={`flow-frame is-${kind}`} rx={10} {...place} />
    ))}
  </Unseen>
);

function Lines({ drawing, states }: { drawing: Drawing; states: PictureOf['states'] }) {
  const id = useId();
  const taken = ({ from, to }: Line): boolean => {
    const [before, after] = [states?.get(from), states?.get(to)];
    return after !== undefined && after !== 'skipped' && (before !== undefined || from === 'start');
  };
  return (
    <Unseen>
      <marker
        id={id}
        viewBox="0 0 8 8"
        refX={7}
        refY={4}
        markerWidth={9}
        markerHeight={9}
        markerUnits="userSpaceOnUse"
        orient="auto"
      >
        <path className="flow-head" d="M0 0.5 8 4 0 7.5z" />
      </marker>
      {drawing.lines.map((line) => {
        const words = edgeWords(line);
        return (
          <g key={line.key} className={`flow-line is-${line.kind}${taken(line) ? ' is-taken' : ''}`}>
            <path d={line.path} markerEnd={`url(#${id})`} />
            {words !== '' && (
              <text {...line.labelAt}>
                <title>{visibleLine(words)}</title>
                {shortLabel(visibleLine(words))}
              </text>
            )}
          </g>
        );
      })}
    </Unseen>
  );
}

/** Weight of the crosswise distance, which keeps the selection in its row or column. */
const crosswise = 3;

/** Returns the nearest box in a direction (-1, 0 or 1 per axis), or `null` if none. */
function nearest(boxes: readonly Box[], from: Box, [dx, dy]: readonly [number, number]): Box | null {
  let best: Box | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const box of boxes) {
    const [x, y] = [box.x - from.x, box.y - from.y];
    const ahead = x * dx + y * dy;
    if (ahead <= 0) continue;
    const far = ahead + crosswise * Math.abs(x * dy + y * dx);
    if (far < least) [best, least] = [box, far];
  }
  return best;
}
