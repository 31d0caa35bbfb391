/** What an agent made of a message, as a sentence. */
import type { ReactNode } from 'react';
import type { AgentMark } from '../../contract/model.ts';
import { isReason } from '../../contract/reasons.ts';
import { t, told } from '../../language/texts.ts';
import { apart } from '../parts/rich.tsx';
import { visibleLine } from './visible-text.ts';

/** The host's closed words in the person's language; whatever else it says is shown as it is. */
const reasonWords = (reason: string): string =>
  isReason(reason) ? t(`reasons.${reason}`) : visibleLine(told(reason));

const stopped = 'stopped: ';

/** A message that was a word to the host and was taken as such, or why nothing was said. */
function silentWords(reason: string, who: string): ReactNode {
  const name = apart;
  if (reason === 'consent' || reason === 'stop' || reason === 'continue' || reason === 'task')
    return t.rich(`workInChat.${reason}`, { who, name });
  if (reason.startsWith(stopped))
    return t.rich('workInChat.wasStopped', {
      who,
      why: visibleLine(told(reason.slice(stopped.length))),
      name,
    });
  const why = reasonWords(reason);
  return why === ''
    ? t.rich('workInChat.silent', { who, name })
    : t.rich('workInChat.silentWhy', { who, why, name });
}

/** `who` as it is safe to be shown. */
export function markWords({ state, reason }: AgentMark, who: string): ReactNode {
  const name = apart;
  if (state === 'silent') return silentWords(reason, who);
  if (state === 'failed') {
    const why = reasonWords(reason);
    return why === ''
      ? t.rich('workInChat.failed', { who, name })
      : t.rich('workInChat.failedWhy', { who, why, name });
  }
  return t.rich(`workInChat.${state}`, { who, name });
}
