import { responseOf } from '../../library/puppy/fit-envelope.ts';
import type { OwnerAnswer, QuestionName } from '../../library/puppy/standalone.ts';
import { usage } from '../terminal.ts';
import { isTool, limitsOf } from './limits.ts';
import { backendFlags, withBackend } from './open-backend.ts';
import { untilSignal } from './signals.ts';
import { tell } from './tell.ts';
import { oneWord, type PuppyArguments, readWords } from './words.ts';

// `puppy resume`: answers a gate, or continues a run without an open gate.

const flags = {
  ...backendFlags,
  mode: 'text',
  token: 'text',
  id: 'text',
  approve: 'text',
  decision: 'text',
  reason: 'text',
  'response-json': 'text',
  answer: 'text',
  cancel: 'switch',
  'timeout-ms': 'text',
  'max-stdout-bytes': 'text',
  wait: 'switch',
} as const;

function approval(text: string): OwnerAnswer {
  const word = text.toLowerCase();
  if (['yes', 'y', 'true', 'approve'].includes(word)) return { type: 'approve' };
  if (['no', 'n', 'false', 'reject'].includes(word)) return { type: 'reject' };
  throw usage('--approve must be yes or no.');
}

function settled(text: string): OwnerAnswer {
  if (text === 'done' || text === 'repeat' || text === 'cancel') return { type: text };
  throw usage('--answer must be done, repeat or cancel.');
}

function response(text: string): OwnerAnswer {
  const read = responseOf(text);
  if (read.ok) return { type: 'respond', response: read.value };
  throw usage(`--response-json must be valid JSON: ${read.error}.`);
}

const readers: ReadonlyMap<string, (text: string) => OwnerAnswer> = new Map([
  ['approve', approval],
  ['decision', approval],
  ['response-json', response],
  ['answer', settled],
]);
const answerFlags = [...readers.keys()];

function answerOf(words: PuppyArguments): OwnerAnswer {
  const given = [...readers].flatMap(([flag, read]) => {
    const text = words.text(flag);
    return text === undefined ? [] : [read(text)];
  });
  if (words.has('cancel')) given.push({ type: 'cancel_run' });
  const [only, ...more] = given;
  if (!only || more.length > 0) {
    throw usage('Give exactly one of --approve, --response-json, --answer and --cancel.');
  }
  const reason = words.text('reason');
  if (reason === undefined) return only;
  if (only.type !== 'reject') throw usage('--reason goes with a no: --approve no.');
  return { ...only, reason };
}

function questionOf(words: PuppyArguments): QuestionName | null {
  const [token, id] = [words.text('token'), words.text('id')];
  if (token !== undefined && id !== undefined) throw usage('Give --token or --id, not both.');
  if (token === '' || id === '') throw usage('Invalid token: it is empty.');
  if (token !== undefined) return { token };
  return id === undefined ? null : { shortId: id };
}

/** Programs read an envelope; people at a terminal read text. */
export const resumeMode = (): 'tool' | 'human' => (process.stdout.isTTY ? 'human' : 'tool');

export async function resumeCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, flags);
  const telling = { tool: isTool(words, resumeMode()), format: 'json' } as const;
  const by = questionOf(words);
  const limits = limitsOf(words);
  if (by && words.rest.length > 0) throw usage('Give a token, an id or a run, not several.');
  if (!by && [...answerFlags, 'reason'].some((flag) => words.text(flag) !== undefined))
    throw usage('Say which question this answers: --token or --id.');
  if (!by && words.has('cancel')) throw usage('To end a run: puppy cancel RUN.');
  const answer = by ? answerOf(words) : null;
  const run = by ? '' : oneWord(words, 'a token (--token), an id (--id), or a run to go on with');
  return untilSignal((signal) =>
    withBackend(words, async (backend) => {
      const within = { ...limits, signal };
      const told = by && answer ? backend.answer(by, answer, within) : backend.goOn(run, within);
      return tell(await told, telling);
    }),
  );
}
