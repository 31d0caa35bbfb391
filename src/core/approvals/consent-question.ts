/** The one message by which an agent puts a question into the chat: what, where, the command or change, how to answer. */
import type { Approval } from '../../contract/consent.ts';
import { codePointLength, cutCodePoints } from '../lib/text.ts';

const shownPoints = 1_500;

/** Longer than any run of backticks inside, so that nothing shown can end the fence. */
function fenceFor(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}

/** Characters that hide or reorder others are shown as their code. */
export const visibleText = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });

/** A yes in the chat is worth no more than what the chat has shown: of a long question only the beginning. */
export const fitsChat = ({ preview }: Pick<Approval, 'preview'>): boolean =>
  codePointLength(visibleText(preview.body)) <= shownPoints;

function opening({ kind, agentName, title, where }: Approval): string {
  // These ask a whole sentence already.
  if (kind === 'spending' || kind === 'workflow') return `${visibleText(agentName)} ${visibleText(title)}`;
  return `May I? I ${visibleText(title).replace(/^wants to/, 'want to')}${where ? ` in ${visibleText(where)}` : ''}.`;
}

/** How it is answered here, or why it cannot be. */
function howTo(approval: Approval, whole: boolean): string {
  const { gate } = approval;
  if (gate && gate.kind !== 'approval') return 'Answer it in Kennel: a y or n says too little here.';
  if (!whole) {
    const no = gate ? 'reject' : 'deny';
    return `This is only the beginning. Look at all of it in Kennel to allow it; answer **n** in this thread to ${no} it.`;
  }
  if (!gate) return 'Answer **y** or **n** in this thread: y allows it this once. Only your answer counts.';
  const who =
    gate.named.length > 0
      ? `Only ${gate.named.map(visibleText).join(', ')} can answer.`
      : 'Only your answer counts.';
  const many = gate.needed > 1 ? ` ${gate.needed} of them must agree.` : '';
  return `Answer **y** or **n** in this thread: y approves it, n rejects it; what follows the n is kept as the reason. ${who}${many}`;
}

const unreachedText = (slugs: readonly string[]): string => {
  const who = slugs.map(visibleText).join(', ');
  return `There is no channel with ${who} and me that nobody else reads, so they have not been asked yet. Make one, and I ask there.`;
};

/** `called`: whose answer it waits for here. `unreached`: who is to answer, too, and cannot see this. */
export function questionText(
  approval: Approval,
  called: readonly string[],
  unreached: readonly string[] = [],
): string {
  const body = visibleText(approval.preview.body);
  const shown = cutCodePoints(body, shownPoints);
  const fence = fenceFor(shown);
  const language = approval.preview.kind === 'diff' ? 'diff' : '';
  return [
    [...called.map((slug) => `@${slug}`), opening(approval)].join(' '),
    ...(shown.trim() === '' ? [] : [`${fence}${language}`, shown, fence]),
    howTo(approval, fitsChat(approval)),
    ...(unreached.length === 0 ? [] : [unreachedText(unreached)]),
  ].join('\n');
}
