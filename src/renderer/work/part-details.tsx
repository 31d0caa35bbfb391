import { useState } from 'react';
import type { TurnPart, TurnSummary } from '../../contract/work-methods.ts';
import { usdWords } from '../../language/money.ts';
import { locale, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { LabelledText } from '../parts/labelled-text.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { durationWords } from './turn-text.ts';

/** Input and output of one part, character by character; the full text loads on request. */
export function PartDetails({ turn, part }: { turn: TurnSummary; part: TurnPart }) {
  const action = useAction('work.part');
  const [whole, setWhole] = useState<{ input: string; output: string } | null>(null);
  const shown = whole ?? part;
  const all = async (): Promise<void> => {
    const found = await action.run({ turn: turn.id, agent: turn.agentId, part: part.id });
    if (found.ok) setWhole(found.value);
  };
  const { approvalId } = part;
  const more = part.cut && whole === null;
  return (
    <div className="fall-details stack">
      <ModelLine part={part} />
      <LabelledText label={t('work.arguments')} text={shown.input} />
      <LabelledText label={t('work.result')} text={shown.output} />
      <ErrorNote error={action.error} />
      {(more || approvalId !== null) && (
        <p className="turn-links">
          {more && (
            <button
              type="button"
              className="button is-small"
              disabled={action.busy}
              onClick={() => void all()}
            >
              {t('work.showAll')}
            </button>
          )}
          {approvalId !== null && (
            <button type="button" className="link" onClick={() => go({ view: 'inbox', id: approvalId })}>
              {t('work.toInbox')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function ModelLine({ part: { model, firstAt, startedAt } }: { part: TurnPart }) {
  if (model === null) return null;
  const { provider, model: name, input, output, cacheRead, usd } = model;
  const number = (value: number): string => value.toLocaleString(locale());
  const words = [
    visibleLine(`${provider}/${name}`),
    t('work.tokens', { input: number(input + cacheRead), output: number(output) }),
    ...(usd === null ? [] : [usdWords(usd)]),
    ...(firstAt === null ? [] : [t('work.thinking', { time: durationWords(firstAt - startedAt) })]),
  ];
  return (
    <p className="fine">
      <bdi>{words.join(' · ')}</bdi>
    </p>
  );
}
