/** Rules for one step by itself, as a table: errors for what cannot work, warnings for probable mistakes. */
import type { HostMessage, HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
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
import { isPlainText, printTemplate } from './template.ts';
import { usesOf } from './uses.ts';

export interface StepNote {
  readonly severity: Severity;
  readonly rule: string;
  /** Field of the step; absent for the whole step. */
  readonly field?: string;
  readonly message: HostText;
  readonly hint?: HostText;
}

const plainText = (template: Template | null): string | null =>
  template && isPlainText(template) ? printTemplate(template) : null;

const never: TemplateScope = { args: {}, steps: {}, loop: {} };
const isConstant = (condition: Condition): boolean => refsOf(condition).length === 0;

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;

function cwdNotes(cwd: string | null): readonly StepNote[] {
  if (cwd === null) return [];
  const outside = cwd.startsWith('/') || /^[A-Za-z]:/.test(cwd) || cwd.split(/[\\/]/).includes('..');
  const message = say('workflowFiles.cwdOutside');
  return outside ? [{ severity: 'error', rule: 'cwd-outside', field: 'cwd', message }] : [];
}

function rawNotes(step: Step): readonly StepNote[] {
  return usesOf(step).texts.flatMap(({ field, template }): StepNote[] => {
    if (!template.some((part) => part.kind !== 'text' && part.raw)) return [];
    const message = say('workflowFiles.rawValue', { field });
    return [
      { severity: 'warning', rule: 'raw-value', field, message, hint: say('workflowFiles.leaveOutRaw') },
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
    return [
      {
        severity: 'error',
        rule: 'unsafe-place',
        field: 'run',
        message: say('workflowFiles.behindDollar'),
        hint: say('workflowFiles.escapeDollar'),
      },
    ];
  }
  const message = say('workflowFiles.unsafePlace');
  const hint = say('workflowFiles.useVariable');
  return [{ severity: 'warning', rule: 'unsafe-place', field: step.kind, message, hint }];
}

function codeNotes(step: Step): readonly StepNote[] {
  const field = step.kind;
  return pastedCode(step).map(({ program, instead }) => ({
    severity: 'warning',
    rule: 'value-in-code',
    field,
    message: say('workflowFiles.valueInCode', { field, program }),
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
      message: say('workflowFiles.neverTrue'),
    },
  ];
}

/** Gates that some runs could never pass; a gate that no run can pass is a read error. */
function approverNotes({ named, needed, notInitiator }: ApproverPolicy): readonly StepNote[] {
  const note = (rule: string, message: HostMessage, hint: HostMessage): readonly StepNote[] => [
    { severity: 'warning', rule, field: 'approval', message, hint },
  ];
  const nameThem = say('workflowFiles.nameThem');
  if (named.length === 0 && needed > 1)
    return note('nobody-named', say('workflowFiles.manyUnnamed', { n: needed }), nameThem);
  if (named.length === 0 && notInitiator)
    return note('nobody-named', say('workflowFiles.otherUnnamed'), nameThem);
  if (named.length === needed && notInitiator)
    return note('nobody-left', say('workflowFiles.nobodyLeft'), say('workflowFiles.nameOneMore'));
  return [];
}

function gateNotes(step: Step): readonly StepNote[] {
  const notes: StepNote[] = [];
  if (step.approval && step.kind !== 'approval' && step.effect !== 'pure')
    notes.push({
      severity: 'warning',
      rule: 'work-before-approval',
      field: 'approval',
      message: say('workflowFiles.workBeforeApproval'),
      hint: say('workflowFiles.separateApproval'),
    });
  if (step.approval) notes.push(...approverNotes(step.approval.approvers));
  const schema = kindRules<StepKind>(step.kind).schema?.(step);
  const fault = schema && schema.value !== null ? schemaFault(schema.value) : null;
  if (schema && fault !== null)
    notes.push({
      severity: 'error',
      rule: 'wrong-schema',
      field: schema.field,
      message: say('workflowFiles.notSchema', { name: schema.name }),
      hint: say('workflowFiles.schemaFault', { fault }),
    });
  return notes;
}

function effectNotes(step: Step): readonly StepNote[] {
  if (step.retry.attempts < 2 || step.effect !== 'once') return [];
  const message = say('workflowFiles.retryOnce');
  return [
    {
      severity: 'warning',
      rule: 'retry-once',
      field: 'retry',
      message,
      hint: say('workflowFiles.sayIdempotent'),
    },
  ];
}

function sleepNotes(step: Step): readonly StepNote[] {
  const at = step.kind === 'sleep' && step.until.kind === 'time' ? plainText(step.until.at) : null;
  if (at === null || parseMoment(at) !== null) return [];
  const message = say('workflowFiles.notTime', { text: at });
  const hint = say('workflowFiles.writeTime');
  return [{ severity: 'error', rule: 'wrong-time', field: 'sleep', message, hint }];
}

export function envNotes(env: Readonly<Record<string, Template>>): readonly StepNote[] {
  return Object.keys(env)
    .filter((name) => !variable.test(name))
    .map((name) => ({
      severity: 'error',
      rule: 'wrong-name',
      field: 'env',
      message: say('workflowFiles.wrongVariable', { name }),
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
  message: say('workflowFiles.gateInRace'),
  hint: say('workflowFiles.waitForAll'),
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
