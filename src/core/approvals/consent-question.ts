/**
 * Chat message of a question: what, where, its targets, and how to answer. All untrusted text stands in code
 * spans and one fence. A question that does not fit says so and cannot be approved in the chat (T8).
 */

import type { Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { effectTarget } from '../../contract/effect-target.ts';
import { fail } from '../../contract/fail.ts';
import { wholeQuestion } from '../../contract/one-line-question.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { toVisibleText } from '../../contract/visible-text.ts';
import { englishText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { cutCodePoints } from '../lib/text.ts';
import type { Effect } from '../policy/assessment.ts';
import { type CodeSpan, codeSpan, fenceFor, nameSpan, nameSpans } from './shown-text.ts';

/** Most code points and lines of the preview. */
const bodyPoints = 1_500;
const bodyLines = 80;
/** Most code points of a title, a folder, and one target. */
const titlePoints = 200;
const placePoints = 300;
const targetPoints = 500;
const mostTargets = 10;

interface Part {
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

const oneLine = (text: string, spans: readonly CodeSpan[]): Part => ({
  lines: [text],
  isCut: spans.some(({ isCut }) => isCut),
});

function openingPart({ kind, agentName, title, where, gate }: Approval): Part {
  const [agent, run] = [nameSpan(agentName), nameSpan(gate?.runName ?? '')];
  if (gate) {
    // The prompt of a workflow opens the preview.
    const text =
      agentName === gate.runName
        ? `Workflow ${run.text} asks:`
        : `${agent.text} asks about workflow ${run.text}:`;
    return oneLine(text, [agent, run]);
  }
  const what = codeSpan(englishText(title).replace(/^wants to /, ''), titlePoints);
  if (kind === 'spending') return oneLine(`${agent.text} ${what.text}`, [agent, what]);
  const place = codeSpan(englishText(where), placePoints);
  return oneLine(`May I? I want to ${what.text}${place.text === '' ? '' : ` in ${place.text}`}.`, [
    what,
    place,
  ]);
}

function bodyPart({ preview }: Approval): Part {
  const body = toVisibleText(preview.body);
  const lines = cutCodePoints(body, bodyPoints).split('\n').slice(0, bodyLines);
  const shown = lines.join('\n');
  const isCut = preview.cut === true || shown.length < body.length;
  if (shown.trim() === '') return { lines: [], isCut };
  const fence = fenceFor(shown);
  return { lines: [`${fence}${preview.kind === 'diff' ? 'diff' : ''}`, shown, fence], isCut };
}

/** A shell command already appears in the preview. */
const isShown = (effect: Effect, { preview }: Approval): boolean =>
  effect.kind === 'run' && effect.argv[1] === '-c' && preview.body.startsWith(effect.argv[2] ?? '');

const verbs: Readonly<Partial<Record<Effect['kind'], string>>> = { send: 'send to', network: 'reach' };

function targetsPart(approval: Approval): Part {
  const effects = (approval.effects ?? []).filter((effect) => !isShown(effect, approval));
  const spans = effects.slice(0, mostTargets).map((effect) => {
    const verb = verbs[effect.kind] ?? effect.kind;
    return { verb, span: codeSpan(effectTarget(effect), targetPoints) };
  });
  return {
    lines:
      spans.length === 0 ? [] : ['This would:', ...spans.map(({ verb, span }) => `- ${verb} ${span.text}`)],
    isCut: effects.length > mostTargets || spans.some(({ span }) => span.isCut),
  };
}

const partsOf = (approval: Approval): readonly Part[] => [
  openingPart(approval),
  bodyPart(approval),
  targetsPart(approval),
];

/**
 * Whether the whole question is in the message: an approval in the chat covers only what the chat has shown.
 */
export const fitsChat = (approval: Approval): boolean => partsOf(approval).every(({ isCut }) => !isCut);

const tooLarge = say('approvals.tooLargeToShow');
const notWhole = say('approvals.notWholeInChat');

/** Whether this answer may approve what was shown. */
export function mayAgree(
  approval: Approval,
  { answer, surface }: { readonly answer: ApprovalAnswer; readonly surface: string },
): Result<void> {
  if (answer.type !== 'allow' && answer.type !== 'respond') return ok(undefined);
  if (approval.preview.cut === true)
    return err(
      fail(
        'invalid_input',
        'approvals.questionTooLarge',
        { tooLarge },
        { help: 'approvals.askSmallerParts' },
      ),
    );
  if (surface === 'notification' && wholeQuestion(approval, englishText) === null)
    return err(
      fail(
        'invalid_input',
        'approvals.notificationYesIgnored',
        { id: approval.id },
        { help: 'approvals.answerInWindow' },
      ),
    );
  if (surface !== 'chat' || fitsChat(approval)) return ok(undefined);
  return err(
    fail(
      'invalid_input',
      'approvals.chatYesIgnored',
      { notWhole, id: approval.id },
      { help: 'approvals.answerInWindow' },
    ),
  );
}

/** How to answer in the chat, or why that is impossible. */
function howTo(approval: Approval): string {
  const { id, kind, gate, preview } = approval;
  if ((gate && gate.kind !== 'approval') || approval.form)
    return 'Answer it in Kennel: a y or n says too little here.';
  const no = gate ? 'reject' : 'deny';
  if (preview.cut === true) return `${tooLarge.text} Answer **n** in this thread to ${no} it.`;
  if (!fitsChat(approval))
    return `${notWhole.text}, so a y here does not count. Look at the whole question in the window, or with \`kennel approvals show ${id}\`, and allow it there; answer **n** in this thread to ${no} it.`;
  if (kind === 'contact')
    return 'Answer **y** or **n** in this thread: y accepts this person for all of your agents, n blocks the person. Only your answer counts.';
  if (!gate) return 'Answer **y** or **n** in this thread: y allows it this once. Only your answer counts.';
  const who =
    gate.named.length > 0 ? `Only ${nameSpans(gate.named).text} can answer.` : 'Only your answer counts.';
  const many = gate.needed > 1 ? ` ${gate.needed} of them must agree.` : '';
  return `Answer **y** or **n** in this thread: y approves it, n rejects it; what follows the n is kept as the reason. ${who}${many}`;
}

const unreachedText = (slugs: readonly string[]): string =>
  `There is no channel with ${nameSpans(slugs).text} and me that nobody else reads, so they have not been asked yet. Make one, and I ask there.`;

/** `called`: people whose answer is expected here. `unreached`: approvers who cannot see this message. */
export function questionText(
  approval: Approval,
  called: readonly string[],
  unreached: readonly string[] = [],
): string {
  const [opening = '', ...rest] = partsOf(approval).flatMap(({ lines }) => lines);
  return [
    // Skips invalid slugs, which could contain any text.
    [...called.filter((slug) => /^[\w-]+$/.test(slug)).map((slug) => `@${slug}`), opening].join(' '),
    ...rest,
    howTo(approval),
    ...(unreached.length === 0 ? [] : [unreachedText(unreached)]),
  ].join('\n');
}
