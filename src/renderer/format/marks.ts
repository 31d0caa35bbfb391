/** Describes what an agent did with a message. */

import type { ReactNode } from 'react';
import type { AgentMark } from '../../contract/model.ts';
import { isReason } from '../../contract/reasons.ts';
import type { HostText } from '../../language/host-message.ts';
import type { HostKey } from '../../language/say.ts';
import { localize, t } from '../../language/texts.ts';
import { apart } from '../parts/rich.tsx';
import { visibleLine } from './visible-text.ts';

/** Localizes the host's known reasons and shows any other text as it is. */
const reasonWords = (reason: HostText): string =>
  isReason(reason) ? t(`reasons.${reason}`) : visibleLine(localize(reason));

const stoppedByYou: HostKey = 'turns.stoppedByYou';

/** Reason for silence, or the effect of a message that was a command to the host. */
function silentWords(reason: HostText, who: string): ReactNode {
  const name = apart;
  if (reason === 'consent' || reason === 'stop' || reason === 'continue' || reason === 'task')
    return t.rich(`workInChat.${reason}`, { who, name });
  if (typeof reason !== 'string' && reason.key === stoppedByYou)
    return t.rich('workInChat.wasStopped', { who, name });
  const why = reasonWords(reason);
  return why === ''
    ? t.rich('workInChat.silent', { who, name })
    : t.rich('workInChat.silentWhy', { who, why, name });
}

/** `who` must already be safe to display. */
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
