/** The names of a file before it is read: a text is a template only where it names something that exists. */
import type { KnownNames } from './names.ts';

const containers = [
  'steps',
  'branches',
  'parallel',
  'approval',
  'input',
  'on_reject',
  'onReject',
  'on_timeout',
  'onTimeout',
  'fallback',
  'llm_task',
  'llm-task',
  'llmTask',
];

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** Adds the step's own names and tells where more may be. */
function lookInto(
  fields: Readonly<Record<string, unknown>>,
  steps: Set<string>,
  loops: Set<string>,
): unknown[] {
  if (typeof fields.id === 'string') steps.add(fields.id);
  if (fields.for_each !== undefined || fields.forEach !== undefined) {
    loops.add(textOr(fields.item_var ?? fields.itemVar, 'item'));
    loops.add(textOr(fields.index_var ?? fields.indexVar, 'index'));
  }
  return containers.filter((key) => Object.hasOwn(fields, key)).map((key) => fields[key]);
}

export function collectNames(file: unknown): KnownNames {
  const steps = new Set<string>();
  const loops = new Set<string>();
  const open: unknown[] = [record(file).steps];
  while (open.length > 0) {
    const next = open.pop();
    const more = Array.isArray(next) ? next : lookInto(record(next), steps, loops);
    for (const one of more) open.push(one);
  }
  return { steps, loops, args: new Set(Object.keys(record(record(file).args))) };
}
