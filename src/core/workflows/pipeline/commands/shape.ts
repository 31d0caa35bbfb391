/** Commands that build new items: map and template. */
import { err, ok, type Result } from '../../../../contract/result.ts';
import { say } from '../../../../language/say.ts';
import {
  failCommand,
  type Items,
  must,
  type PipelineCommand,
  type StageContext,
  type StageProblem,
} from '../command.ts';
import { type ExactJsonRecord, isExactRecord, type JsonValue } from '../exact-json.ts';
import { type ItemTemplate, parseItemTemplate, renderItem } from '../template.ts';

interface Mapping {
  readonly unwrap: string | null;
  readonly wrap: string | null;
  readonly fields: readonly { readonly name: string; readonly template: ItemTemplate }[];
}

function mapItem({ unwrap, wrap, fields }: Mapping, item: JsonValue): JsonValue {
  let value = item;
  if (unwrap !== null) {
    value = isExactRecord(item) && Object.hasOwn(item, unwrap) ? (item[unwrap] ?? null) : null;
  }
  // `fromEntries` keeps a field named `__proto__` an ordinary field.
  const whole: JsonValue = wrap === null ? value : Object.fromEntries([[wrap, value]]);
  if (fields.length === 0) return whole;
  const made = fields.map(({ name, template }) => [name, renderItem(template, value)] as const);
  const base: ExactJsonRecord = isExactRecord(whole) ? whole : { value: whole };
  return Object.fromEntries([...Object.entries(base), ...made]);
}

async function* mapped(items: Items, mapping: Mapping): Items {
  for await (const item of items) yield mapItem(mapping, item);
}

function readFields(words: readonly string[]): Result<Mapping['fields'], StageProblem> {
  const fields: { name: string; template: ItemTemplate }[] = [];
  for (const [word, text] of words.entries()) {
    const at = text.indexOf('=');
    if (at < 1) {
      return err({
        message: say('pipelines.wrongMapping', { text }),
        hint: say('host.writeExample', { example: "title='{{name}}'" }),
        word,
      });
    }
    const template = parseItemTemplate(text.slice(at + 1));
    if (!template.ok) return err({ message: template.error, word });
    fields.push({ name: text.slice(0, at), template: template.value });
  }
  return ok(fields);
}

export const map: PipelineCommand = {
  name: 'map',
  description:
    'Takes a field out of each item, adds fields made by templates, or puts the item into a field.',
  flags: [
    { name: 'wrap', type: 'text', description: 'puts each item into an object under this name' },
    { name: 'unwrap', type: 'text', description: 'takes this field of each item' },
  ],
  words: { name: 'a field', description: 'field=template', min: 0, max: 100 },
  examples: ['map --unwrap items', "map title='{{name | upper}}'", 'map --wrap value'],
  sideEffects: [],
  effect: 'pure',
  prepare: (args) => {
    const fields = readFields(args.words);
    if (!fields.ok) return fields;
    const mapping = { wrap: args.text('wrap'), unwrap: args.text('unwrap'), fields: fields.value };
    if (mapping.wrap === null && mapping.unwrap === null && fields.value.length === 0) {
      return err({ message: say('pipelines.emptyMapping') });
    }
    return ok({ kind: 'flow', run: (items) => mapped(items, mapping) });
  },
};

async function* rendered(items: Items, template: ItemTemplate): Items {
  for await (const item of items) yield renderItem(template, item);
}

async function* renderedFrom(items: Items, file: string, context: StageContext): Items {
  const template = parseItemTemplate(must(await context.ports.readText(file)));
  if (!template.ok) return failCommand('invalid_input', `${file}: ${template.error}`);
  yield* rendered(items, template.value);
}

export const template: PipelineCommand = {
  name: 'template',
  description: 'Makes one text of each item: {{path | filter}}, {{.}} for the item itself.',
  flags: [
    { name: 'text', type: 'text', description: 'the template' },
    { name: 'file', type: 'text', description: 'a file that holds the template' },
  ],
  words: { name: 'a template', description: 'instead of --text', min: 0, max: 1 },
  examples: ["template --text '{{title}} by {{author.name | upper}}'", 'template --file line.txt'],
  sideEffects: ['reads_files'],
  effect: 'idempotent',
  prepare: (args) => {
    const given = [args.text('text'), args.words[0] ?? null, args.text('file')].filter(
      (each) => each !== null,
    );
    if (given.length !== 1) return err({ message: say('pipelines.oneTemplate') });
    const file = args.text('file');
    if (file !== null) {
      return ok({ kind: 'flow', run: (items, context) => renderedFrom(items, file, context) });
    }
    const read = parseItemTemplate(given[0] ?? '');
    if (!read.ok) return err({ message: read.error });
    return ok({ kind: 'flow', run: (items) => rendered(items, read.value) });
  },
};
