/** Drives runs of the rig to their end, and forks them. */
import type { SubWorkflow } from '../../src/core/workflows/file/calls.ts';
import type { WorkflowDefinition } from '../../src/core/workflows/file/definition.ts';
import { answerGates } from './workflow-lives.ts';
import type { WorkflowRig } from './workflow-rig.ts';

export const longMs = 7 * 86_400_000;

/** Whether the gate at this path is rejected. */
type No = (path: string) => boolean;

export async function toEnd(rig: WorkflowRig, run: string, no: No = () => false) {
  const engine = rig.engine();
  do await engine.drive(run, { patienceMs: longMs });
  while (answerGates(rig, engine, run, no));
  return engine.show(run);
}

export async function ran(
  rig: WorkflowRig,
  definition: WorkflowDefinition,
  no?: No,
  children: readonly SubWorkflow[] = [],
): Promise<string> {
  const begun = rig.engine().start({ definition, children, initiatedBy: 'bob' });
  if (!begun.ok) throw new Error(begun.error.message);
  await toEnd(rig, begun.value.id, no);
  return begun.value.id;
}

export const fork = (rig: WorkflowRig, run: string, from: string | null, by: string | null = 'ann') =>
  rig.engine().fork({ run, from, by });

export function forked(rig: WorkflowRig, run: string, from: string | null): string {
  const again = fork(rig, run, from);
  if (!again.ok) throw new Error(again.error.message);
  return again.value.id;
}

/** Paths of the effects after index `since`. */
export const effectsSince = (rig: WorkflowRig, since: number): readonly string[] =>
  rig.effects.slice(since).map(({ path }) => path);
