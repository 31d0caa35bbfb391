/** Writes parts of a workflow file: no defaults, one spelling. */
import type { InputGate, Outcome, Step, ValueTemplate, YesNoGate } from './definition.ts';
import { defaultExpiryMs, printDuration } from './duration.ts';
import { printValue } from './value-template.ts';

export type WrittenFields = Readonly<Record<string, unknown>>;
export type WriteSteps = (steps: readonly Step[]) => readonly WrittenFields[];

/** Drops fields that are `undefined` or `null`. */
export const presentFields = (fields: WrittenFields): WrittenFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** `null` for a default. */
export const unless = <T>(value: T, otherwise: T): T | null => (value === otherwise ? null : value);

export const writeDuration = (ms: number | null): string | null => (ms === null ? null : printDuration(ms));

export function writeValues(args: Readonly<Record<string, ValueTemplate>>): WrittenFields | null {
  const entries = Object.entries(args).map(([name, value]) => [name, printValue(value)] as const);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

function writeOutcome({ steps, then }: Outcome, otherwise: Outcome['then'], writeSteps: WriteSteps): unknown {
  if (steps.length === 0) return unless(then, otherwise);
  const written = writeSteps(steps);
  return then === otherwise ? written : { steps: written, then };
}

/** Fields that approvals and inputs share. */
export const writeWaiting = (gate: YesNoGate | InputGate, writeSteps: WriteSteps): WrittenFields => ({
  expires: writeDuration(unless(gate.expiresMs, defaultExpiryMs)),
  remind: writeDuration(gate.remindMs),
  approvers: gate.approvers.named.length > 0 ? gate.approvers.named : null,
  needed: unless(gate.approvers.needed, 1),
  require_different_approver: unless(gate.approvers.notInitiator, false),
  on_reject: writeOutcome(gate.onReject, 'cancel', writeSteps),
  on_timeout: writeOutcome(gate.onTimeout, 'fail', writeSteps),
});
