import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { GraphView } from '../../../contract/workflow-methods.ts';
import { locale, t } from '../../../language/texts.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import type { ShownStepState } from '../step-text.ts';
import { GraphList } from './graph-list.tsx';
import { GraphPicture } from './graph-picture.tsx';
import { drawingOf } from './layout.ts';

interface PaneOf {
  readonly graph: GraphView;
  readonly states?: ReadonlyMap<string, ShownStepState> | null;
  readonly chosen: string | null;
  onChoose(node: string): void;
}

const least = 0.4;
/** Minimum initial scale, at which labels are readable. */
const leastAtFirst = 0.8;
const most = 2;
const stepUp = 1.2;

/** Scrollable graph: pans by wheel, drag and arrows, zooms by buttons, keys and Ctrl+wheel. */
export function GraphPane({ graph, states = null, chosen, onChoose }: PaneOf) {
  const place = useRef<HTMLElement>(null);
  const { scale, zoom, adapt } = useZoom(place, graph);
  const drag = useDrag(place);
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoom(stepUp);
    else if (event.key === '-') zoom(1 / stepUp);
    else if (event.key === '0') adapt();
    else return;
    event.preventDefault();
  };
  const percent = scale.toLocaleString(locale(), { style: 'percent', maximumFractionDigits: 0 });
  return (
    <section className="card flow-pane" aria-label={t('workflows.graph')}>
      <header className="flow-tools">
        <span className="fine" role="status">
          {t('workflows.zoomIs', { percent })}
        </span>
        <IconButton label={t('workflows.smaller')} onPress={() => zoom(1 / stepUp)} icon="minus" />
        <IconButton label={t('workflows.larger')} onPress={() => zoom(stepUp)} icon="plus" />
        <button type="button" className="button is-small is-plain" onClick={adapt}>
          {t('workflows.fit')}
        </button>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is inside has the focus */}
      <div className="flow-drag" onKeyDown={onKey} {...drag}>
        <ScrollRegion className="flow-scroll" label={t('workflows.graphScroll')} place={place}>
          <GraphPicture graph={graph} states={states} chosen={chosen} scale={scale} onChoose={onChoose} />
        </ScrollRegion>
      </div>
      <GraphList graph={graph} states={states} />
    </section>
  );
}

function useZoom(place: React.RefObject<HTMLElement | null>, graph: GraphView) {
  const [scale, setScale] = useState(1);
  const { width } = drawingOf(graph);
  const zoom = useCallback((by: number) => setScale((now) => Math.min(most, Math.max(least, now * by))), []);
  /** Fits the width, but never enlarges. */
  const adaptTo = useCallback(
    (smallest: number) => {
      const room = place.current?.clientWidth ?? 0;
      if (room > 0) setScale(Math.min(1, Math.max(smallest, (room - 8) / width)));
    },
    [place, width],
  );
  const adapt = useCallback(() => adaptTo(least), [adaptTo]);
  useEffect(() => adaptTo(leastAtFirst), [adaptTo]);
  useEffect(() => {
    const { current } = place;
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? stepUp : 1 / stepUp);
    };
    current?.addEventListener('wheel', turn, { passive: false });
    return () => current?.removeEventListener('wheel', turn);
  }, [place, zoom]);
  return { scale, zoom, adapt };
}

/** Dragging the background pans the graph; pressing a box selects it. */
function useDrag(place: React.RefObject<HTMLElement | null>) {
  const last = useRef<{ x: number; y: number } | null>(null);
  const end = (): void => {
    last.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      const onBox = event.target instanceof Element && event.target.closest('button') !== null;
      if (event.pointerType === 'mouse' && event.button === 0 && !onBox)
        last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent): void => {
      if (last.current === null) return;
      place.current?.scrollBy(last.current.x - x, last.current.y - y);
      last.current = { x, y };
    },
    onPointerUp: end,
    onPointerLeave: end,
  };
}
