import type { Envelope, Limits, OwnerAnswer, RunCommands } from '../../library/puppy/standalone.ts';
import { copy } from '../copy.ts';
import { askInTerminal, canAsk } from '../terminal.ts';
import { printable } from '../visible-text.ts';
import { shownOf } from './tell.ts';

// Asks the user in the terminal about open gates; unanswered ones stay open.

/** Text after "no" is the reason; any answer except yes counts as no. */
export function yesOrNo(said: string): OwnerAnswer {
  if (/^(?:y(?:es)?|ja?)$/i.test(said)) return { type: 'approve' };
  const reason = /^(?:no?|nein)[\s,.:;!-]+(.+)$/is.exec(said)?.[1]?.trim() ?? '';
  return reason === '' ? { type: 'reject' } : { type: 'reject', reason };
}

/** Continues the run while its gates take yes or no; for other gates it prints the command to answer. */
export async function converse(backend: RunCommands, first: Envelope, limits: Limits): Promise<Envelope> {
  let told = first;
  while (told.ok && told.requiresApproval && told.requiresApproval.kind === undefined && canAsk()) {
    const { prompt, resumeToken: token } = told.requiresApproval;
    const shown = shownOf(told.requiresApproval);
    if (shown !== '') process.stdout.write(printable(`${shown}\n`));
    const said = await askInTerminal(printable(copy('cliPuppy.yesNoLater', { question: prompt })));
    if (/^(?:l(?:ater)?|s(?:päter)?)$/i.test(said)) return told;
    const next = await backend.answer({ token }, yesOrNo(said), limits);
    if (!next.ok && next.runId === undefined) return next;
    told = next;
  }
  return told;
}
