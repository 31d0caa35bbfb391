/** Inserts a template of a step behind the step at the cursor, or at the end of the file. */
import { t } from '../../../language/texts.ts';
import { yamlLine as line } from '../new-text.ts';
import { listedStep, stepIds } from './field-place.ts';

const quoted = (text: string): string => JSON.stringify(text);
const command = (text: string): string => ['echo', quoted(text)].join(' ');

/** A JSON schema of an object with one text. */
const objectWith = (name: string): readonly string[] => [
  line(2, 'type', 'object'),
  line(2, 'properties'),
  line(3, name, '{type: string}'),
];

/** Lines of a step of each kind, below its id. */
const templates = {
  run: () => [line(0, 'run', command('Hello'))],
  pipeline: () => [line(0, 'pipeline', 'head --n 10'), line(0, 'stdin', '$step.json')],
  approval: () => [line(0, 'approval'), line(1, 'prompt', quoted(t('workflows.newPrompt')))],
  input: () => [
    line(0, 'input'),
    line(1, 'prompt', quoted(t('workflows.newQuestion'))),
    line(1, 'response_schema'),
    ...objectWith('choice'),
  ],
  agent: () => [line(0, 'agent'), line(1, 'goal', quoted(t('workflows.newGoal')))],
  llm_task: () => [
    line(0, 'llm_task'),
    line(1, 'prompt', quoted(t('workflows.newGoal'))),
    line(1, 'schema'),
    ...objectWith('summary'),
  ],
  workflow: () => [line(0, 'workflow', 'other.puppy')],
  parallel: (id) => [
    line(0, 'parallel'),
    line(1, 'branches'),
    line(2, '- id', `${id}-1`),
    line(3, 'run', command('one')),
    line(2, '- id', `${id}-2`),
    line(3, 'run', command('two')),
  ],
  for_each: (id) => [
    line(0, 'for_each', '$step.json'),
    line(0, 'steps'),
    line(1, '- id', `${id}-round`),
    line(2, 'run', command('$item')),
  ],
  sleep: () => [line(0, 'sleep', '10m')],
} as const satisfies Record<string, (id: string) => readonly string[]>;

export type InsertedKind = keyof typeof templates;
export const insertedKinds = Object.keys(templates) as readonly InsertedKind[];

/** Ids of the inserted steps start with these. */
const names: Readonly<Record<InsertedKind, string>> = {
  run: 'command',
  pipeline: 'pipeline',
  approval: 'ask',
  input: 'question',
  agent: 'agent',
  llm_task: 'model',
  workflow: 'workflow',
  parallel: 'parallel',
  for_each: 'loop',
  sleep: 'pause',
};

interface Insertion {
  /** Offset of the inserted text. */
  readonly at: number;
  readonly insert: string;
  /** The new id, as a range of the text after the insertion. */
  readonly id: readonly [number, number];
}

function newId(text: string, kind: InsertedKind): string {
  const used = new Set(stepIds(text));
  let id = names[kind];
  for (let n = 2; used.has(id); n += 1) id = `${names[kind]}-${n}`;
  return id;
}

const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

/** Index of the line behind the step: the next one that is not indented further. */
function endOf(lines: readonly string[], from: number, indent: number): number {
  let end = from + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line) <= indent) break;
    end = at + 1;
  }
  return end;
}

/** Where a step is inserted if no step holds the cursor: behind the last one of the file. */
function lastPlace(text: string): { readonly line: number; readonly indent: number; readonly head: string } {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^steps:/.test(line));
  const used = lines.findLastIndex((line) => line.trim() !== '') + 1;
  if (start < 0) return { line: used, indent: 2, head: 'steps:\n' };
  const first = lines.findIndex((line, at) => at > start && /^ *- /.test(line));
  const indent = first < 0 ? 2 : indentOf(lines[first] ?? '');
  const next = lines.findIndex((line, at) => at > start && /^[^\s#-]/.test(line));
  const end = next < 0 ? lines.length : next;
  return { line: lines.slice(0, end).findLastIndex((line) => line.trim() !== '') + 1, indent, head: '' };
}

function insertionLine(text: string, offset: number) {
  const lines = text.split('\n');
  const index = text.slice(0, offset).split('\n').length - 1;
  const step = listedStep(text, index);
  if (step === null) return lastPlace(text);
  return { line: endOf(lines, step.line, step.indent), indent: step.indent, head: '' };
}

export function stepInsertion(text: string, offset: number, kind: InsertedKind): Insertion {
  const { line: place, indent, head } = insertionLine(text, offset);
  const id = newId(text, kind);
  const lines = text.split('\n');
  const before = lines.slice(0, place).join('\n');
  const isLast = place >= lines.length;
  const at = isLast ? text.length : before.length + (place > 0 ? 1 : 0);
  const lead = isLast && text !== '' && !text.endsWith('\n') ? '\n' : '';
  const space = ' '.repeat(indent);
  const first = `${lead}${head}${space}- id: `;
  const body = templates[kind](id)
    .map((each) => `${space}  ${each}\n`)
    .join('');
  return {
    at,
    insert: `${first}${id}\n${body}`,
    id: [at + first.length, at + first.length + id.length],
  };
}
