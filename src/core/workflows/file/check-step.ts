/** Rules for one step by itself, as a table: what cannot work, and what probably is not meant. */
import { holds, refsOf } from './condition-value.ts';
import type { Condition, Scope, Step, Template } from './definition.ts';
import type { Severity } from './finding.ts';
import { parseMoment } from './moment.ts';
import { schemaFault } from './schema-fault.ts';
import { unsafePlace } from './shell-text.ts';
import { isPlain, printTemplate } from './template.ts';
import { usesOf } from './uses.ts';

export interface StepNote {
  readonly severity: Severity;
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
}

const plainText = (template: Template | null): string | null =>
  template && isPlain(template) ? printTemplate(template) : null;

const never: Scope = { args: {}, steps: {}, loop: {} };
const isConstant = (condition: Condition): boolean => refsOf(condition).length === 0;

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

function cwdNotes(cwd: string | null): readonly StepNote[] {
  if (cwd === null) return [];
  const outside = cwd.startsWith('/') || /^[A-Za-z]:/.test(cwd) || cwd.split(/[\\/]/).includes('..');
  const message = 'cwd must be a relative path inside the working folder.';
  return outside ? [{ severity: 'error', rule: 'cwd-outside', message }] : [];
}

function rawNotes(step: Step): readonly StepNote[] {
  return usesOf(step).texts.flatMap(({ field, template }): StepNote[] => {
    if (!template.some((part) => part.kind !== 'text' && part.raw)) return [];
    const message = `${field} takes a raw value: whoever supplies it can run any command.`;
    return [{ severity: 'warning', rule: 'raw-value', message, hint: 'Leave out "raw:" to have it quoted.' }];
  });
}

function shellNotes(step: Step): readonly StepNote[] {
  const place = step.kind === 'run' ? unsafePlace(step.shell) : null;
  if (place === null) return [];
  if (place === 'dollar') {
    const behind = 'A value stands right behind a dollar sign, which a shell would read together with it.';
    return [
      { severity: 'error', rule: 'unsafe-place', message: behind, hint: 'Write \\$ for a dollar sign.' },
    ];
  }
  const message =
    'A value stands where it cannot be quoted safely (eval, sh -c, a here-document, backticks or arithmetic).';
  const hint = 'Hand it over as a variable: env: {VALUE: …} and "$VALUE".';
  return [{ severity: 'warning', rule: 'unsafe-place', message, hint }];
}

function conditionNotes(step: Step): readonly StepNote[] {
  if (!step.when || !isConstant(step.when) || holds(step.when, never)) return [];
  return [
    {
      severity: 'warning',
      rule: 'unreachable',
      message: 'The condition is never true, so the step never runs.',
    },
  ];
}

function gateNotes(step: Step): readonly StepNote[] {
  const notes: StepNote[] = [];
  if (step.approval && step.kind !== 'approval' && step.effect !== 'pure')
    notes.push({
      severity: 'warning',
      rule: 'work-before-approval',
      message: 'The work of this step is done before anybody is asked; only what follows waits.',
      hint: 'Put the approval into a step of its own before it, or say effect: pure.',
    });
  const { named, needed } = step.approval?.approvers ?? { named: [], needed: 1 };
  if (needed > 1 && named.length === 0)
    notes.push({
      severity: 'warning',
      rule: 'nobody-named',
      message: `${needed} people must agree, and none is named: in Kennel only you are asked, so it would wait for ever.`,
      hint: 'Name them: approvers: [alice-1a2b, bob-3c4d].',
    });
  const fault = step.kind === 'input' && step.input.schema !== null ? schemaFault(step.input.schema) : null;
  if (fault !== null)
    notes.push({
      severity: 'error',
      rule: 'wrong-schema',
      message: 'response_schema must be a JSON schema.',
      hint: `${fault}.`,
    });
  return notes;
}

function effectNotes(step: Step): readonly StepNote[] {
  if (step.retry.attempts < 2 || step.effect !== 'once') return [];
  const message =
    'A step that must happen once is tried again after a failure that may have done half of it.';
  return [
    {
      severity: 'warning',
      rule: 'retry-once',
      message,
      hint: 'Say effect: idempotent if doing it twice is harmless.',
    },
  ];
}

function sleepNotes(step: Step): readonly StepNote[] {
  const at = step.kind === 'sleep' && step.until.kind === 'time' ? plainText(step.until.at) : null;
  if (at === null || parseMoment(at) !== null) return [];
  const hint = 'Write it like 2030-01-31T08:00:00Z.';
  return [{ severity: 'error', rule: 'wrong-time', message: `"${at}" is not a time.`, hint }];
}

export function envNotes(env: Readonly<Record<string, Template>>): readonly StepNote[] {
  return Object.keys(env)
    .filter((name) => !variable.test(name))
    .map((name) => ({
      severity: 'error',
      rule: 'wrong-name',
      message: `"${name}" cannot be the name of a variable.`,
    }));
}

export function notesOf(step: Step): readonly StepNote[] {
  return [
    ...cwdNotes(plainText(step.cwd)),
    ...envNotes(step.env),
    ...rawNotes(step),
    ...shellNotes(step),
    ...conditionNotes(step),
    ...gateNotes(step),
    ...effectNotes(step),
    ...sleepNotes(step),
  ];
}
