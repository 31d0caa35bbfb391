/**
 * Chat replies below a workflow question after an answer: who agreed, who decided and how, or why an answer
 * did not count. Approvers in the chat see no other surface.
 */
import type { Approval } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import { englishText } from '../../language/host-message.ts';
import { codeSpan, nameSpan, nameSpans } from './shown-text.ts';

const reasonPoints = 500;
const refusalPoints = 500;

const names = (all: readonly string[]): string => nameSpans([...new Set(all)]).text;

/** A clause; empty if no person decided. */
function byWhom({ gate, decision }: Approval): string {
  const agreed = decision?.as === 'approve' ? (gate?.votes ?? []) : [];
  const who = names([...agreed, decision?.by ?? '']);
  return who === '' ? '' : ` by ${who}`;
}

function decidedText(approval: Approval): string {
  const by = byWhom(approval);
  const reason = codeSpan(englishText(approval.decision?.reason ?? '').trim(), reasonPoints).text;
  switch (approval.decision?.as) {
    case 'approve':
      return `Approved${by}. The run goes on.`;
    case 'reject':
      return reason === '' ? `Rejected${by}.` : `Rejected${by}: ${reason}`;
    case 'answer':
      return `Answered${by}. The run goes on.`;
    case 'done':
    case 'repeat':
    case 'cancel':
      return `Settled${by}.`;
    case 'timeout':
      return 'Nobody decided in time, so this is over.';
    case 'withdrawn':
    case undefined:
      return 'This needs no answer any more: the run has ended.';
  }
}

/** `null` if nothing changed. */
export function outcomeText(approval: Approval): string | null {
  const { gate, state } = approval;
  if (!gate) return null;
  if (state !== 'waiting') return decidedText(approval);
  const last = gate.votes.at(-1);
  if (last === undefined) return null;
  const left = gate.needed - gate.votes.length;
  return `${nameSpan(last).text} agreed. ${left === 1 ? 'One more' : `${left} more`} must agree.`;
}

/** Reply to a refused answer, whose error may quote names from the workflow file. */
export const notCountedText = ({ message, hint }: AppError): string =>
  `Your answer did not count: ${codeSpan([message, hint ?? ''].join(' ').trim(), refusalPoints).text}`;

export const tooLateText = (approval: Approval): string =>
  `Your answer came too late and changed nothing. ${decidedText(approval)}`;
