/** Rules for one step by itself, as a table: errors for what cannot work, warnings for probable mistakes. */
import { isTruthyCondition, refsOf } from './condition-value.ts';
import type { ApproverPolicy, Condition, Step, StepKind, Template, TemplateScope } from './definition.ts';
import type { Severity } from './finding.ts';
import { parseMoment } from './moment.ts';
import { pastedCode } from './other-language.ts';
import { pipelineAsks } from './pipeline-stages.ts';
import { hasShellPlace } from './pipeline-text.ts';
import { schemaFault } from './schema-fault.ts';
import { unsafePlace } from './shell-text.ts';
import { kindRules } from './step-kinds.ts';
import { isPlain, printTemplate } from './template.ts';
import { usesOf } from './uses.ts';

export interface StepNote {
  readonly severity: Severity;
  readonly rule: string;
  /** Field of the step; absent for the whole step. */
  readonly field?: string;
  readonly message: string;
  readonly hint?: string;
}

const plainText = (template: Template | null): string | null =>
  template && isPlain(template) ? printTemplate(template) : null;

const never: TemplateScope = { args: {}, steps: {}, loop: {} };
const isConstant = (condition: Condition): boolean => refsOf(condition).length === 0;

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

function cwdNotes(cwd: string | null): readonly StepNote[] {
  if (cwd === null) return [];
  const outside = cwd.startsWith('/') || /^[A-Za-z]:/.test(cwd) || cwd.split(/[\\/]/).includes('..');
  const message = 'cwd must be a relative path inside the working folder.';
  return outside ? [{ severity: 'error', rule: 'cwd-outside', field: 'cwd', message }] : [];
}

function rawNotes(step: Step): readonly StepNote[] {
  return usesOf(step).texts.flatMap(({ field, template }): StepNote[] => {
    if (!template.some((part) => part.kind !== 'text' && part.raw)) return [];
    const message = `${field} takes a raw value: whoever supplies it can run any command.`;
    return [
      { severity: 'warning', rule: 'raw-value', field, message, hint: 'Leave out "raw:" to have it quoted.' },
    ];
  });
}

/** Context of the step in which some values are unsafe; `null` if none. */
function unsafeIn(step: Step): 'dollar' | 'plain' | null {
  if (step.kind === 'run') return unsafePlace(step.shell);
  return step.kind === 'pipeline' && hasShellPlace(step.pipeline) ? 'plain' : null;
}

function shellNotes(step: Step): readonly StepNote[] {
  const place = unsafeIn(step);
  if (place === null) return [];
  if (place === 'dollar') {
    const behind = 'A value stands right behind a dollar sign, which a shell would read together with it.';
    return [
      {
        severity: 'error',
        rule: 'unsafe-place',
        field: 'run',
        message: behind,
        hint: 'Write \\$ for a dollar sign.',
      },
    ];
  }
  const message =
    'A value stands where it cannot be quoted safely (eval, sh -c, | sh, ssh, a here-document, backticks or arithmetic), so that only a plain word will be let in.';
  const hint = 'Hand it over as a variable: env: {VALUE: …} and "$VALUE", or on standard input.';
  return [{ severity: 'warning', rule: 'unsafe-place', field: step.kind, message, hint }];
}

function codeNotes(step: Step): readonly StepNote[] {
  const field = step.kind;
  return pastedCode(step).map(({ program, instead }) => ({
    severity: 'warning',
    rule: 'value-in-code',
    field,
    message: `${field} puts a value into code of ${program}, where quotes of the shell do not protect: whoever supplies it can change what is done.`,
    hint: instead,
  }));
}

function conditionNotes(step: Step): readonly StepNote[] {
  if (!step.when || !isConstant(step.when) || isTruthyCondition(step.when, never)) return [];
  return [
    {
      severity: 'warning',
      rule: 'unreachable',
      field: 'when',
      message: 'The condition is never true, so the step never runs.',
    },
  ];
}

/** Gates that some runs could never pass; a gate that no run can pass is a read error. */
function approverNotes({ named, needed, notInitiator }: ApproverPolicy): readonly StepNote[] {
  const note = (rule: string, message: string, hint: string): readonly StepNote[] => [
    { severity: 'warning', rule, field: 'approval', message, hint },
  ];
  const nameThem = 'Name them: approvers: [alice-1a2b, bob-3c4d].';
  if (named.length === 0 && needed > 1)
    return note(
      'nobody-named',
      `${needed} people must agree, and none is named: in Kennel only you are asked, so it would wait for ever.`,
      nameThem,
    );
  if (named.length === 0 && notInitiator)
    return note(
      'nobody-named',
      'Whoever starts it may not approve it, and nobody is named: what you start yourself would wait for ever.',
      nameThem,
    );
  if (named.length === needed && notInitiator)
    return note(
      'nobody-left',
      'Everybody who is named must agree, and whoever starts it may not: what one of them starts would wait for ever.',
      'Name one more than needed.',
    );
  return [];
}

function gateNotes(step: Step): readonly StepNote[] {
  const notes: StepNote[] = [];
  if (step.approval && step.kind !== 'approval' && step.effect !== 'pure')
    notes.push({
      severity: 'warning',
      rule: 'work-before-approval',
      field: 'approval',
      message: 'The work of this step is done before anybody is asked; only what follows waits.',
      hint: 'Put the approval into a step of its own before it, or say effect: pure.',
    });
  if (step.approval) notes.push(...approverNotes(step.approval.approvers));
  const schema = kindRules<StepKind>(step.kind).schema?.(step);
  const fault = schema && schema.value !== null ? schemaFault(schema.value) : null;
  if (schema && fault !== null)
    notes.push({
      severity: 'error',
      rule: 'wrong-schema',
      field: schema.field,
      message: `${schema.name} must be a JSON schema.`,
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
      field: 'retry',
      message,
      hint: 'Say effect: idempotent if doing it twice is harmless.',
    },
  ];
}

function sleepNotes(step: Step): readonly StepNote[] {
  const at = step.kind === 'sleep' && step.until.kind === 'time' ? plainText(step.until.at) : null;
  if (at === null || parseMoment(at) !== null) return [];
  const hint = 'Write it like 2030-01-31T08:00:00Z.';
  return [{ severity: 'error', rule: 'wrong-time', field: 'sleep', message: `"${at}" is not a time.`, hint }];
}

export function envNotes(env: Readonly<Record<string, Template>>): readonly StepNote[] {
  return Object.keys(env)
    .filter((name) => !variable.test(name))
    .map((name) => ({
      severity: 'error',
      rule: 'wrong-name',
      field: 'env',
      message: `"${name}" cannot be the name of a variable.`,
    }));
}

/** Whether this step itself asks a person. */
export const asksPeople = (step: Step): boolean =>
  step.approval !== null ||
  step.kind === 'input' ||
  (step.kind === 'pipeline' && pipelineAsks(step.pipeline));

/** Whether the first successful branch ends the others. */
export const isRace = (step: Step, branch: string): boolean =>
  step.kind === 'parallel' && branch === 'parallel' && step.wait === 'any';

export const raceNote: StepNote = {
  severity: 'error',
  rule: 'impossible-gate',
  message:
    'Nobody can be asked inside wait: any, because the first branch to finish would leave the question open.',
  hint: 'Use wait: all, or ask before the branches.',
};

export function notesOf(step: Step): readonly StepNote[] {
  return [
    ...cwdNotes(plainText(step.cwd)),
    ...envNotes(step.env),
    ...rawNotes(step),
    ...shellNotes(step),
    ...codeNotes(step),
    ...conditionNotes(step),
    ...gateNotes(step),
    ...effectNotes(step),
    ...sleepNotes(step),
  ];
}
