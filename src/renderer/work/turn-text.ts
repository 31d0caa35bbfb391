import type { Dot } from '../../contract/model.ts';
import type { TurnPart, TurnState, TurnSummary } from '../../contract/work-methods.ts';
import { locale, localize, t } from '../../language/texts.ts';
import { lasting } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';

export const stateWords = (state: TurnState): string => t(`work.state_${state}`);
export const partStateWords = (state: TurnPart['state']): string => t(`work.part_${state}`);
export const turnPartKindText = (kind: TurnPart['kind']): string => t(`work.kind_${kind}`);

export const stateDots: Partial<Record<TurnState, Dot>> = {
  running: 'working',
  waiting: 'needs_you',
  held: 'offline',
  failed: 'error',
};

/** Example: "84 ms", "4.1 s", "12 s", "3 min". */
export function durationWords(ms: number): string {
  if (ms < 1_000) return t('work.ms', { n: String(Math.max(0, Math.round(ms))) });
  if (ms >= 10_000) return lasting(0, ms);
  const n = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(ms / 1_000);
  return t('work.s', { n });
}

export function tookWords(
  { startedAt, endedAt }: Pick<TurnSummary, 'startedAt' | 'endedAt'>,
  now: number,
): string {
  if (endedAt !== null) return durationWords(endedAt - startedAt);
  return t('work.soFar', { time: lasting(startedAt, now) });
}

export function partTitle(part: TurnPart): string {
  if (part.model) return visibleLine(part.model.model);
  if (part.kind === 'asked') return t('work.askedText');
  if (part.kind === 'retry')
    return t('work.pauseText', { time: durationWords((part.endedAt ?? part.startedAt) - part.startedAt) });
  return visibleLine(localize(part.title));
}
