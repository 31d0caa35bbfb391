import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { localizeError, t } from '../../language/texts.ts';
import { useReplica } from '../state/subscriptions.ts';
import { choiceOf } from './cron-choice.ts';
import { choiceWords, timeInZone } from './schedule-text.ts';

/** Debounce of typing, in ms. */
const pauseMs = 250;
const count = 5;

interface PreviewOf {
  readonly expression: string;
  readonly timeZone: string;
}

type Found = { readonly next: readonly number[] } | { readonly error: AppError };

/** Next start times as computed by the host, shown before saving. */
export function CronPreview({ expression, timeZone }: PreviewOf) {
  const { link } = useReplica();
  const [found, setFound] = useState<Found | null>(null);
  const choice = choiceOf(expression);
  useEffect(() => {
    let left = false;
    const read = async (): Promise<void> => {
      const result = await link.call('schedules.preview', { expression, timeZone, count });
      if (!left) setFound(result.ok ? result.value : { error: result.error });
    };
    const timer = setTimeout(() => void read(), pauseMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [link, expression, timeZone]);
  return (
    <div className="cron-preview" aria-live="polite">
      {choice !== null && <p>{t('schedules.means', { words: choiceWords(choice) })}</p>}
      {found !== null && 'error' in found && <p className="cron-wrong">{localizeError(found.error)}</p>}
      {found !== null && 'next' in found && found.next.length === 0 && <p>{t('schedules.never')}</p>}
      {found !== null && 'next' in found && found.next.length > 0 && (
        <>
          <p className="fine">{t('schedules.nextTimes')}</p>
          <ol className="cron-times">
            {found.next.map((at) => (
              <li key={at}>
                <time dateTime={new Date(at).toISOString()}>{timeInZone(at, timeZone)}</time>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
