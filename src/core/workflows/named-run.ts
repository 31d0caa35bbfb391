/**
 * Runs a workflow that a pipeline calls by name, as a run of its own. The stage waits for its output and
 * cancels a run that would wait for a person, because no approver would be told of it.
 */

import { messageOf, textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { Engine } from './engine/engine.ts';
import type { Person } from './engine/events.ts';
import type { WorkflowDefinition } from './file/definition.ts';
import type { ExactJsonRecord, JsonValue } from './pipeline/exact-json.ts';

/** Longest wait for timers of the run, in ms. */
const patienceMs = 60_000;

/** Description for `workflows.list`. */
export function describeNamed(name: string, definition: WorkflowDefinition): ExactJsonRecord {
  const args = Object.fromEntries(
    Object.entries(definition.args).map(([arg, { type, description, default: value }]) => [
      arg,
      { type, description, required: value === undefined },
    ]),
  );
  return { name, description: definition.description, args };
}

export const noSuchName = (name: string, hint: HostMessage) =>
  err(textError('not_found', say('workflows.unknownWorkflowName', { name: name.slice(0, 100) }), { hint }));

/** Drives a new run and returns its items. A run that would wait is cancelled in the name of `by`. */
export async function namedRunOutput(
  engine: Pick<Engine, 'answer' | 'cancel'>,
  run: string,
  by: Person,
  signal: AbortSignal,
): Promise<Result<readonly JsonValue[]>> {
  const told = await engine.answer(run, { signal, patienceMs });
  if (told.ok && told.status === 'ok') return ok(told.output as readonly JsonValue[]);
  if (!told.ok) return err(textError('io_error', messageOf(told.error)));
  await engine.cancel(run, by);
  if (signal.aborted) return err(fail('cancelled', 'workflows.workflowStopped'));
  return err(fail('unsupported', 'workflows.workflowMayNotWait', {}, { help: 'workflows.useWorkflowFile' }));
}
