import type { Dot } from '../../contract/model.ts';
import { turnTime } from '../../contract/turn-time.ts';
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

/** Duration of the turn's own work. */
export function tookWords(turn: TurnSummary, now: number): string {
  const { workMs } = turnTime(turn, now);
  return turn.endedAt === null ? t('work.soFar', { time: lasting(0, workMs) }) : durationWords(workMs);
}

/** ms; a shorter wait for an answer is not named. */
const shortestWaitMs = 1_000;

/** Time that the turn waited for an answer, or `null` if it hardly waited. */
export function waitedTime(turn: TurnSummary, now: number): string | null {
  const { waitedMs } = turnTime(turn, now);
  return waitedMs < shortestWaitMs ? null : durationWords(waitedMs);
}

export function partTitle(part: TurnPart): string {
  if (part.model) return visibleLine(part.model.model);
  if (part.kind === 'asked') return t('work.askedText');
  if (part.kind === 'retry')
    return t('work.pauseText', { time: durationWords((part.endedAt ?? part.startedAt) - part.startedAt) });
  return visibleLine(localize(part.title));
}
