import { responseOf } from '../../library/puppy/fit-envelope.ts';
import type { OwnerAnswer, QuestionName } from '../../library/puppy/standalone.ts';
import { commandFailure } from '../terminal.ts';
import { type BackendFlags, requiredWord } from './arguments.ts';
import { isTool, type LimitFlags, limitsOf, type ModeFlags } from './limits.ts';
import { withBackend } from './open-backend.ts';
import { untilSignal } from './signals.ts';
import { tell } from './tell.ts';

// `puppy resume`: answers a gate, or continues a run without an open gate.

interface AnswerFlags {
  readonly approve?: string;
  readonly decision?: string;
  readonly responseJson?: string;
  readonly answer?: string;
}

interface ResumeFlags extends AnswerFlags, BackendFlags, LimitFlags, ModeFlags {
  readonly json?: boolean;
  readonly token?: string;
  readonly id?: string;
  readonly reason?: string;
  readonly cancel?: boolean;
}

function approval(text: string): OwnerAnswer {
  const word = text.toLowerCase();
  if (['yes', 'y', 'true', 'approve'].includes(word)) return { type: 'approve' };
  if (['no', 'n', 'false', 'reject'].includes(word)) return { type: 'reject' };
  throw commandFailure('invalid_input', 'cliPuppy.approveYesOrNo');
}

function settled(text: string): OwnerAnswer {
  if (text === 'done' || text === 'repeat' || text === 'cancel') return { type: text };
  throw commandFailure('invalid_input', 'cliPuppy.answerDoneOrRepeat');
}

function response(text: string): OwnerAnswer {
  const read = responseOf(text);
  if (read.ok) return { type: 'respond', response: read.value };
  throw commandFailure('invalid_input', 'cliPuppy.invalidJson', { why: read.error });
}

const answersOf = ({ approve, decision, responseJson, answer }: AnswerFlags): readonly OwnerAnswer[] => [
  ...(approve === undefined ? [] : [approval(approve)]),
  ...(decision === undefined ? [] : [approval(decision)]),
  ...(responseJson === undefined ? [] : [response(responseJson)]),
  ...(answer === undefined ? [] : [settled(answer)]),
];

function answerOf(flags: ResumeFlags): OwnerAnswer {
  const given = [...answersOf(flags), ...(flags.cancel ? [{ type: 'cancel_run' } as const] : [])];
  const [only, ...more] = given;
  if (!only || more.length > 0) {
    throw commandFailure('invalid_input', 'cliPuppy.oneAnswer');
  }
  const { reason } = flags;
  if (reason === undefined) return only;
  if (only.type !== 'reject') throw commandFailure('invalid_input', 'cliPuppy.reasonNeedsNo');
  return { ...only, reason };
}

function questionOf({ token, id }: ResumeFlags): QuestionName | null {
  if (token !== undefined && id !== undefined) throw commandFailure('invalid_input', 'cliPuppy.tokenOrId');
  if (token === '' || id === '') throw commandFailure('invalid_input', 'cliPuppy.emptyToken');
  if (token !== undefined) return { token };
  return id === undefined ? null : { shortId: id };
}

/** Programs read an envelope; people at a terminal read text. */
export const resumeMode = (): 'tool' | 'human' => (process.stdout.isTTY ? 'human' : 'tool');

export async function runResume(args: readonly string[], flags: ResumeFlags): Promise<number> {
  const telling = { tool: isTool(flags, resumeMode()), format: 'json' } as const;
  const by = questionOf(flags);
  const limits = limitsOf(flags);
  if (by && (args[0] ?? '') !== '') throw commandFailure('invalid_input', 'cliPuppy.oneTarget');
  if (!by && (answersOf(flags).length > 0 || flags.reason !== undefined))
    throw commandFailure('invalid_input', 'cliPuppy.whichQuestion');
  if (!by && flags.cancel) throw commandFailure('invalid_input', 'cliPuppy.endRun');
  const answer = by ? answerOf(flags) : null;
  const run = by ? '' : requiredWord(args, 'giveQuestion');
  return untilSignal((signal) =>
    withBackend({ ...flags, json: telling.tool }, async (backend) => {
      const within = { ...limits, signal };
      const told = by && answer ? backend.answer(by, answer, within) : backend.goOn(run, within);
      return tell(await told, telling);
    }),
  );
}
