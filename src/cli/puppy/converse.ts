import type { Envelope, OwnerAnswer } from '../../library/puppy/standalone.ts';
import { ask, canAsk } from '../terminal.ts';
import { printable } from '../visible-text.ts';
import type { Backend, Limits } from './backend.ts';
import { shownOf } from './tell.ts';

// A person at the terminal is asked there and then; what they do not answer waits.

/** Whatever follows a no is its reason; anything that is no yes is a no. */
export function yesOrNo(said: string): OwnerAnswer {
  if (/^y(?:es)?$/i.test(said)) return { type: 'approve' };
  const reason = /^no?[\s,.:;!-]+(.+)$/is.exec(said)?.[1]?.trim() ?? '';
  return reason === '' ? { type: 'reject' } : { type: 'reject', reason };
}

/** Goes on with the run while its questions take a yes or no; anything else is told with how to answer it. */
export async function converse(backend: Backend, first: Envelope, limits: Limits): Promise<Envelope> {
  let told = first;
  while (told.ok && told.requiresApproval && told.requiresApproval.kind === undefined && canAsk()) {
    const { prompt, resumeToken: token } = told.requiresApproval;
    const shown = shownOf(told.requiresApproval);
    if (shown !== '') process.stdout.write(printable(`${shown}\n`));
    const said = await ask(printable(`${prompt} [y/N/later] `));
    if (/^l(?:ater)?$/i.test(said)) return told;
    const next = await backend.answer({ token }, yesOrNo(said), limits);
    if (!next.ok && next.runId === undefined) return next;
    told = next;
  }
  return told;
}
