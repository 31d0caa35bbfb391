/**
 * Collects the names of a file before it is read: text is a template only where it names something that
 * exists.
 */
import type { KnownNames } from './names.ts';
import { kindRules, stepKinds } from './step-kinds.ts';

/** Fields that contain steps, in a step and in its parts; an id anywhere else is data. */
const ofStep = ['approval', ...stepKinds.flatMap((kind) => kindRules(kind).containers ?? [])];
const ofPart = ['steps', 'branches', 'on_reject', 'onReject', 'on_timeout', 'onTimeout', 'fallback'];
const listOf: ReadonlySet<string> = new Set(ofPart);

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

interface Found {
  readonly value: unknown;
  /** A step or a list of steps, rather than a part of a step. */
  readonly isStep: boolean;
}

function below(fields: Readonly<Record<string, unknown>>, keys: readonly string[]): readonly Found[] {
  return keys
    .filter((key) => Object.hasOwn(fields, key))
    .map((key) => ({ value: fields[key], isStep: listOf.has(key) && Array.isArray(fields[key]) }));
}

export function collectNames(file: unknown): KnownNames {
  const steps = new Set<string>();
  const loops = new Set<string>();
  const open: Found[] = [{ value: record(file).steps, isStep: true }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, isStep } = next;
    if (Array.isArray(value)) {
      for (const one of value) open.push({ value: one, isStep });
      continue;
    }
    const fields = record(value);
    open.push(...below(fields, isStep ? ofStep : ofPart));
    if (isStep && typeof fields.id === 'string') steps.add(fields.id);
    if (!isStep || (fields.for_each ?? fields.forEach) === undefined) continue;
    loops.add(textOr(fields.item_var ?? fields.itemVar, 'item'));
    loops.add(textOr(fields.index_var ?? fields.indexVar, 'index'));
  }
  return { steps, loops, args: new Set(Object.keys(record(record(file).args))) };
}
