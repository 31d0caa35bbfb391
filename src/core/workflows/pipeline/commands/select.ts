/** Commands that select and order items: where, pick, head, sort, dedupe, groupBy. */
import { err, ok } from '../../../../contract/result.ts';
import { say } from '../../../../language/say.ts';
import { collect, type Items, type PipelineCommand, type StageArguments } from '../command.ts';
import { isExactRecord, type JsonValue, stringifyExact } from '../exact-json.ts';
import { compareValues, matchesPredicate, type Predicate, parsePredicate } from '../predicate.ts';
import { parsePath, valueAt } from '../value-path.ts';

const pure = { sideEffects: [], effect: 'pure' } as const;
const noKey = (text: string) =>
  err({ message: say('pipelines.wrongPath', { path: text }), hint: say('pipelines.writePath') });

/** Path of --key; `null` if it is invalid. */
const keyPath = (args: StageArguments): readonly string[] | null => parsePath(args.text('key') ?? '');

async function* keep(items: Items, predicate: Predicate): Items {
  for await (const item of items) if (matchesPredicate(predicate, item)) yield item;
}

export const where: PipelineCommand = {
  ...pure,
  name: 'where',
  description: 'Lets items through for which the condition holds.',
  flags: [],
  words: {
    name: say('pipelines.wordCondition'),
    description: say('pipelines.wordConditionForm'),
    min: 1,
    max: 1,
  },
  examples: ['where status=open', "where 'count >= 10'", `where '"a key" = "true"'`],
  prepare: ({ words: [text = ''] }) => {
    const predicate = parsePredicate(text);
    if (!predicate.ok) {
      return err({ message: predicate.error, hint: say('pipelines.writeCondition'), word: 0 });
    }
    return ok({ kind: 'flow', run: (items) => keep(items, predicate.value) });
  },
};

async function* pickFields(items: Items, fields: readonly string[]): Items {
  for await (const item of items) {
    yield isExactRecord(item)
      ? Object.fromEntries(
          fields.flatMap((field) => (Object.hasOwn(item, field) ? [[field, item[field] ?? null]] : [])),
        )
      : item;
  }
}

export const pick: PipelineCommand = {
  ...pure,
  name: 'pick',
  description: 'Keeps these fields of each object; what is no object passes.',
  flags: [],
  words: {
    name: say('pipelines.wordFields'),
    description: say('pipelines.wordFieldsForm'),
    min: 1,
    max: 1,
  },
  examples: ['pick id,title'],
  prepare: ({ words: [text = ''] }) => {
    const fields = text.split(',').map((field) => field.trim());
    if (fields.includes('')) return err({ message: say('pipelines.wrongFields'), word: 0 });
    return ok({ kind: 'flow', run: (items) => pickFields(items, fields) });
  },
};

async function* first(items: Items, limit: number): Items {
  if (limit === 0) return;
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count >= limit) return;
  }
}

export const head: PipelineCommand = {
  ...pure,
  name: 'head',
  description: 'Lets the first items through, and ends what stands before it.',
  flags: [{ name: 'n', type: 'count', description: 'how many items', default: 10 }],
  words: null,
  examples: ['head --n 3'],
  prepare: (args) => {
    const limit = args.number('n') ?? 10;
    return ok({ kind: 'flow', run: (items) => first(items, limit) });
  },
};

async function* sorted(items: Items, path: readonly string[], direction: 1 | -1): Items {
  const keyed = (await collect(items)).map((item) => ({ item, key: valueAt(item, path) ?? null }));
  yield* keyed.sort((a, b) => direction * compareValues(a.key, b.key)).map(({ item }) => item);
}

export const sort: PipelineCommand = {
  ...pure,
  name: 'sort',
  description:
    'Sorts items: numbers, then texts by code unit; items without the key come last. Equal ones keep their order.',
  flags: [
    { name: 'key', type: 'text', description: 'path to sort by; the item itself when absent' },
    { name: 'desc', type: 'switch', description: 'the other way round', default: false },
  ],
  words: null,
  examples: ['sort --key date --desc'],
  prepare: (args) => {
    const path = keyPath(args);
    if (path === null) return noKey(args.text('key') ?? '');
    const direction = args.has('desc') ? -1 : 1;
    return ok({ kind: 'flow', run: (items) => sorted(items, path, direction) });
  },
};

/** A missing value differs from `null`. */
const identity = (value: JsonValue | undefined): string => (value === undefined ? '' : stringifyExact(value));

async function* distinct(items: Items, path: readonly string[]): Items {
  const seen = new Set<string>();
  for await (const item of items) {
    const key = identity(valueAt(item, path));
    if (seen.has(key)) continue;
    seen.add(key);
    yield item;
  }
}

export const dedupe: PipelineCommand = {
  ...pure,
  name: 'dedupe',
  description: 'Keeps the first of items that are equal as JSON.',
  flags: [{ name: 'key', type: 'text', description: 'path to compare; the item itself when absent' }],
  words: null,
  examples: ['dedupe', 'dedupe --key id'],
  prepare: (args) => {
    const path = keyPath(args);
    if (path === null) return noKey(args.text('key') ?? '');
    return ok({ kind: 'flow', run: (items) => distinct(items, path) });
  },
};

async function* grouped(items: Items, path: readonly string[]): Items {
  const groups = new Map<string, { readonly key: JsonValue; readonly items: JsonValue[] }>();
  for await (const item of items) {
    const key = valueAt(item, path);
    const group = groups.get(identity(key)) ?? { key: key ?? null, items: [] };
    group.items.push(item);
    groups.set(identity(key), group);
  }
  for (const group of groups.values()) {
    yield { key: group.key, items: group.items, count: group.items.length };
  }
}

export const groupBy: PipelineCommand = {
  ...pure,
  name: 'groupBy',
  description: 'Makes one item per key, in order of first sight: {key, items, count}.',
  flags: [{ name: 'key', type: 'text', description: say('pipelines.flagGroupKey'), required: true }],
  words: null,
  examples: ['groupBy --key author'],
  prepare: (args) => {
    const path = keyPath(args);
    if (path === null) return noKey(args.text('key') ?? '');
    return ok({ kind: 'flow', run: (items) => grouped(items, path) });
  },
};
