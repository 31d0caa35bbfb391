/**
 * Reads the steps of a file: the common fields, in one spelling and with defaults. `read-kind.ts` reads the
 * rest.
 */

import { messageOf } from '../../../contract/errors.ts';
import { say } from '../../../language/say.ts';
import { parseCondition } from './condition.ts';
import type { Condition, Retry, StdinSource, Step, StepKind } from './definition.ts';
import { type StepFields, stepFields } from './fields.ts';
import { optionalFields, type StepContext } from './kinds/step-kind.ts';
import { idPattern, isName } from './names.ts';
import { fieldPart, inPart, inStep, stepPart } from './parts.ts';
import { durationMs } from './read-gate.ts';
import { readKind } from './read-kind.ts';
import type { Reader, SourcePlace } from './reader.ts';
import { isKnownRef, parseRef } from './refs.ts';
import { defaultEffect, kindRules } from './step-kinds.ts';

const maxNesting = 6;
const maxSteps = 2000;

function retryOf(fields: StepFields['retry']): Retry {
  return {
    attempts: fields?.max ?? 1,
    backoff: fields?.backoff ?? 'fixed',
    delayMs: fields?.delay_ms ?? 1000,
    maxDelayMs: fields?.max_delay_ms ?? 30_000,
    jitter: fields?.jitter ?? false,
  };
}

function conditionOf({ reader, path, place }: StepContext, fields: StepFields): Condition | null {
  const key = fields.when === undefined ? 'condition' : 'when';
  const text = fields[key];
  if (fields.when !== undefined && fields.condition !== undefined)
    reader.tell(
      'warning',
      'two-conditions',
      path,
      place,
      say('workflowFiles.twoConditions', { part: stepPart(path) }),
    );
  if (text === undefined) return null;
  if (typeof text === 'boolean') return { kind: 'value', value: text };
  const parsed = parseCondition(text);
  if (parsed.ok) return parsed.value;
  const part = stepPart(path);
  const column = /\d+/.exec(parsed.error.where ?? '')?.[0];
  const where =
    column === undefined
      ? fieldPart(part, key)
      : say('workflowFiles.partColumn', { part, field: key, column });
  reader.error('wrong-condition', path, [...place, key], inPart(where, messageOf(parsed.error)));
  return null;
}

function stdinOf({ reader }: StepContext, text: string | undefined): StdinSource | null {
  if (text === undefined) return null;
  const ref = parseRef(text);
  // A reference to an unknown step stays a reference, so that the check reports it.
  if (ref && (ref.path.length > 0 || isKnownRef(ref, reader.names))) return { kind: 'ref', ref };
  return { kind: 'template', template: reader.template(text) };
}

function timeoutOf({ reader, path, place }: StepContext, fields: StepFields): number | null {
  const given = [fields.timeout, fields.timeout_ms, fields.parallel?.timeout_ms].filter(
    (one) => one !== undefined,
  );
  if (given.length > 1)
    reader.error('two-timeouts', path, place, say('workflowFiles.twoTimeLimits', { part: stepPart(path) }));
  return durationMs(given[0]);
}

/** Reports fields that have no meaning for the step's kind and would be ignored silently. */
function misplaced({ reader, path, place }: StepContext, fields: StepFields, kind: StepKind): void {
  const { takes } = kindRules<StepKind>(kind);
  for (const key of optionalFields)
    if (fields[key] !== undefined && !takes.includes(key))
      reader.error(
        'misplaced-field',
        path,
        [...place, key],
        inStep(path, say('workflowFiles.misplacedField', { field: key, kind })),
      );
}

function readStep(context: StepContext, fields: StepFields): Step | null {
  const { reader, path } = context;
  const part = readKind(context, fields);
  if (!part) return null;
  misplaced(context, fields, part.kind);
  const key = fields.idempotency_key;
  const base = {
    id: fields.id,
    path,
    when: conditionOf(context, fields),
    retry: retryOf(fields.retry),
    timeoutMs: timeoutOf(context, fields),
    onError: fields.on_error ?? 'stop',
    effect: fields.effect ?? defaultEffect(part),
    idempotencyKey: key === undefined ? null : reader.template(key),
    stdin: stdinOf(context, fields.stdin),
    env: reader.templates(fields.env),
    cwd: fields.cwd === undefined ? null : reader.template(fields.cwd),
  } as const;
  return { ...base, ...part };
}

export class StepReader {
  readonly #reader: Reader;
  readonly #seen = new Set<string>();
  #depth = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  #id(value: unknown, place: SourcePlace, parent: string): string | null {
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
    if (typeof id !== 'string' || !isName(idPattern, id)) {
      const hint = say('workflowFiles.stepIdForm');
      this.#reader.error('wrong-id', parent, place, say('workflowFiles.noStepId'), hint);
      return null;
    }
    if (this.#seen.has(id)) {
      this.#reader.error(
        'duplicate-id',
        parent,
        [...place, 'id'],
        say('workflowFiles.duplicateStep', { id }),
      );
      return null;
    }
    this.#seen.add(id);
    return id;
  }

  #one(value: unknown, place: SourcePlace, parent: string): Step | null {
    const reader = this.#reader;
    const id = this.#id(value, place, parent);
    if (id === null) return null;
    const path = parent === '' ? id : `${parent}.${id}`;
    reader.step(path, place);
    const short =
      typeof value === 'object' && value !== null && 'agent' in value && typeof value.agent === 'string';
    if (short) {
      const message = inStep(path, say('workflowFiles.agentNeedsGoal'));
      reader.error(
        'wrong-field',
        path,
        [...place, 'agent'],
        message,
        say('host.writeExample', { example: 'agent: {name: …, goal: …}' }),
      );
      return null;
    }
    const fields = reader.parse(stepFields(), value, place, path, stepPart(path));
    if (!fields) return null;
    const readSteps = (values: readonly unknown[], at: SourcePlace, branch: string) =>
      this.all(values, at, branch);
    return readStep({ reader, path, place, readSteps }, fields);
  }

  all(values: readonly unknown[], place: SourcePlace, parent: string): readonly Step[] {
    if (this.#depth >= maxNesting || this.#seen.size > maxSteps) {
      const message = say('workflowFiles.tooManySteps', { n: maxNesting, all: maxSteps });
      this.#reader.error('too-many-steps', parent, place, message);
      return [];
    }
    this.#depth += 1;
    const steps = values.map((value, index) => this.#one(value, [...place, index], parent));
    this.#depth -= 1;
    return steps.filter((step) => step !== null);
  }
}
