import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { GateDetails } from './gate-content.tsx';

export interface PreviewReading {
  readonly place: RefObject<HTMLElement | null>;
  /** The end was visible; true at once if everything fits. */
  readonly read: boolean;
  look(): void;
}

const nearEndPx = 4;
/** A smaller box has no layout yet. */
const leastPx = 16;

export function useReading(): PreviewReading {
  const place = useRef<HTMLElement>(null);
  const [read, setRead] = useState(false);
  const look = useCallback(() => {
    const box = place.current;
    if (box === null || box.clientHeight < leastPx) return;
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - nearEndPx) setRead(true);
  }, []);
  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const laidOut = new ResizeObserver(look);
    laidOut.observe(box);
    return () => laidOut.disconnect();
  }, [look]);
  return { place, read, look };
}

const labels = { command: 'theCommand', diff: 'theChange', text: 'theRest' } as const;

/** The whole subject of an approval; long lines wrap, so that no text is hidden to the right. */
export function Preview({ approval, reading }: { approval: Approval; reading: PreviewReading }) {
  const { preview, gate } = approval;
  return (
    <ScrollRegion
      className={`ask-preview is-${preview.kind}`}
      label={t('consent.previewOf', {
        what: t(`consent.${labels[preview.kind]}`),
        title: visibleLine(`${approval.agentName} ${localize(approval.title)}${tellApart(approval)}`),
      })}
      place={reading.place}
      onScroll={reading.look}
    >
      {gate !== undefined ? (
        <GateDetails {...gate} />
      ) : preview.kind === 'diff' ? (
        <DiffLines body={preview.body} />
      ) : (
        <p>
          <ExactText text={preview.body} />
        </p>
      )}
    </ScrollRegion>
  );
}

const apartLength = 60;

/** Adds the command to the label, because two approvals may have the same title. */
const tellApart = ({ preview: { kind, body } }: Approval): string =>
  kind === 'command' ? `: ${body.slice(0, apartLength)}` : '';

const spoken = { added: 'added', removed: 'removed', place: null, same: null } as const;

function kindOf(line: string): keyof typeof spoken {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}

/** The lines of a unified diff. */
export function DiffLines({ body }: { body: string }) {
  return body.split('\n').map((line, index) => {
    const kind = kindOf(line);
    const said = spoken[kind];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one question never change
      <p key={index} className={`ask-line is-${kind}`}>
        {said !== null && <span className="visually-hidden">{t(`consent.${said}`)} </span>}
        <ExactText text={line === '' ? ' ' : line} />
      </p>
    );
  });
}
