import { useId, useState } from 'react';
import type { TurnPart, TurnSummary } from '../../contract/work-methods.ts';
import { t } from '../../language/texts.ts';
import { useNow } from '../parts/time.tsx';
import { PartDetails } from './part-details.tsx';
import { pictureWidth, type TimeScale, timeScale } from './time-scale.ts';
import { durationWords, partStateWords, partTitle, turnPartKindText } from './turn-text.ts';

const rowHeight = 20;
/** Minimum width of a bar, so that short parts stay visible. */
const shortest = 4;

/** Timeline with one row per part on a common scale; a row expands to its input and output. */
export function Waterfall({ turn, parts }: { turn: TurnSummary; parts: readonly TurnPart[] }) {
  const now = useNow(1_000);
  const end = turn.endedAt ?? now;
  const scale = timeScale(parts, { from: turn.startedAt, to: end });
  const time = durationWords(end - turn.startedAt);
  return (
    <figure className="fall">
      <figcaption className="fine">
        {t('work.picture', { n: parts.length, time })} {scale.squeezed && t('work.squeezed')}
      </figcaption>
      <ol className="fall-rows">
        {parts.map((part) => (
          <Row key={part.id} turn={turn} part={part} scale={scale} open={turn.endedAt === null} />
        ))}
      </ol>
    </figure>
  );
}

interface RowOf {
  readonly turn: TurnSummary;
  readonly part: TurnPart;
  readonly scale: TimeScale;
  /** The turn is in progress. */
  readonly open: boolean;
}

function Row({ turn, part, scale, open }: RowOf) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const goesOn = part.endedAt === null && open;
  const took =
    part.endedAt === null || part.kind === 'asked' ? '' : durationWords(part.endedAt - part.startedAt);
  return (
    <li className={`fall-row is-${part.state}`}>
      <button
        type="button"
        className="line-button fall-line"
        aria-expanded={shown}
        aria-controls={shown ? id : undefined}
        onClick={() => setShown(!shown)}
      >
        <span className="fall-title">
          <span className="fall-kind">{turnPartKindText(part.kind)}</span> <bdi>{partTitle(part)}</bdi>
        </span>
        <Bar part={part} scale={scale} end={goesOn ? scale.to : (part.endedAt ?? part.startedAt)} />
        <span className="fall-time fine">
          {part.state === 'done' ? took : partStateWords(part.state)}
          {part.state === 'done' && <span className="visually-hidden"> {partStateWords(part.state)}</span>}
        </span>
      </button>
      {shown && (
        <div id={id}>
          <PartDetails turn={turn} part={part} />
        </div>
      )}
    </li>
  );
}

/** Kinds differ in colour and in pattern: solid, outlined, striped, dashed. */
function Bar({ part, scale, end }: { part: TurnPart; scale: TimeScale; end: number }) {
  const from = Math.min(scale.at(part.startedAt), pictureWidth - shortest);
  const wide = Math.max(shortest, scale.at(end) - from);
  const first = part.firstAt === null ? null : scale.at(part.firstAt);
  return (
    <svg
      className={`fall-bar is-${part.kind}`}
      viewBox={`0 0 ${pictureWidth} ${rowHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line className="fall-ground" x1={0} x2={pictureWidth} y1={rowHeight / 2} y2={rowHeight / 2} />
      <rect className="fall-whole" x={from} y={4} width={wide} height={rowHeight - 8} />
      {first !== null && first < from + wide && (
        <rect className="fall-said" x={first} y={4} width={from + wide - first} height={rowHeight - 8} />
      )}
      {part.kind === 'wait' && <Stripes from={from} wide={wide} />}
    </svg>
  );
}

function Stripes({ from, wide }: { from: number; wide: number }) {
  const count = Math.min(60, Math.floor(wide / 8));
  return Array.from({ length: count }, (_, n) => from + ((n + 0.5) * wide) / count).map((x) => (
    <line key={x} className="fall-stripe" x1={x} x2={x} y1={4} y2={rowHeight - 4} />
  ));
}
