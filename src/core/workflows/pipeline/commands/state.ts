/**
 * State that persists between runs: state.get, state.set, diff.last. It never touches runs, gates or tokens.
 */
import { err, ok, type Result } from '../../../../contract/result.ts';
import { say } from '../../../../language/say.ts';
import type { StageProblem } from '../command.ts';
import {
  collect,
  drain,
  type Items,
  must,
  oneOrList,
  type PipelineCommand,
  type StageContext,
} from '../command.ts';
import { sortedJson } from '../exact-json.ts';

const maxKeyLength = 512;

function checkKey(key: string, word?: number): Result<string, StageProblem> {
  if (key !== '' && key.length <= maxKeyLength) return ok(key);
  return err({
    message: say('pipelines.keyLength', { n: maxKeyLength }),
    ...(word === undefined ? {} : { word }),
  });
}

const keyWord = {
  name: say('pipelines.wordKey'),
  description: say('pipelines.wordKeyForm'),
  min: 1,
  max: 1,
};

async function* getValue(items: Items, key: string, { ports }: StageContext): Items {
  await drain(items);
  yield must(await ports.state.get('value', key)) ?? null;
}

export const stateGet: PipelineCommand = {
  name: 'state.get',
  description: 'Gives the value kept under a key; null when there is none.',
  flags: [],
  words: keyWord,
  examples: ['state.get last-seen'],
  sideEffects: [],
  effect: 'idempotent',
  prepare: ({ words: [text = ''] }) => {
    const key = checkKey(text, 0);
    return key.ok ? ok({ kind: 'flow', run: (items, context) => getValue(items, text, context) }) : key;
  },
};

async function* setValue(items: Items, key: string, { ports }: StageContext): Items {
  const all = await collect(items);
  must(await ports.state.set('value', key, oneOrList(all)));
  yield* all;
}

export const stateSet: PipelineCommand = {
  name: 'state.set',
  description: 'Keeps the items under a key (one item as itself, several as a list), and lets them pass.',
  flags: [],
  words: keyWord,
  examples: ['state.set last-seen'],
  sideEffects: ['writes_state'],
  effect: 'idempotent',
  prepare: ({ words: [text = ''] }) => {
    const key = checkKey(text, 0);
    return key.ok ? ok({ kind: 'flow', run: (items, context) => setValue(items, text, context) }) : key;
  },
};

async function* diff(items: Items, key: string, { ports }: StageContext): Items {
  const after = oneOrList(await collect(items));
  const before = must(await ports.state.get('snapshot', key));
  const changed = before === undefined || sortedJson(before) !== sortedJson(after);
  must(await ports.state.set('snapshot', key, after));
  yield { kind: 'diff.last', key, changed, before: before ?? null, after };
}

export const diffLast: PipelineCommand = {
  name: 'diff.last',
  description:
    'Compares the items with those of the run before, whatever the order of keys, and keeps the new ones.',
  flags: [{ name: 'key', type: 'text', description: say('pipelines.flagDiffKey'), required: true }],
  words: null,
  examples: ['diff.last --key inbox'],
  sideEffects: ['writes_state'],
  // A second run would find no change, so the first difference would be lost.
  effect: 'once',
  prepare: (args) => {
    const key = checkKey(args.text('key') ?? '');
    return key.ok ? ok({ kind: 'flow', run: (items, context) => diff(items, key.value, context) }) : key;
  },
};
