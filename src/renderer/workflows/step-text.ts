import type { RunGate, RunStep, RunSummary } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import type { IconName } from '../mark/icon.tsx';

const kinds = {
  run: 'terminal',
  pipeline: 'pipe',
  agent: 'agents',
  'llm-task': 'spark',
  workflow: 'file',
  approval: 'gate',
  input: 'form',
  parallel: 'split',
  for_each: 'loop',
  sleep: 'clock',
  start: 'play',
  end: 'stop',
} as const satisfies Record<string, IconName>;
type Kind = keyof typeof kinds;

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind);
export const kindIcon = (kind: string): IconName => (isKind(kind) ? kinds[kind] : 'work');
/** An unknown kind of a newer host is shown by its own name. */
export const stepKindText = (kind: string): string => (isKind(kind) ? t(`workflows.kind_${kind}`) : kind);

/**
 * States beyond the host's: `idle` has not begun, `pausing` waits for a time rather than a person, the last
 * two are gates that ended without approval.
 */
export type ShownStepState = RunStep['state'] | 'idle' | 'pausing' | 'rejected' | 'unanswered';
export const stepStateWords = (state: ShownStepState): string => t(`workflows.step_${state}`);
export const runStatusWords = (status: RunSummary['status']): string => t(`workflows.status_${status}`);

/** State of a node whose iterations differ: the first of these, so that problems come first. */
const weight: readonly ShownStepState[] = [
  'uncertain',
  'waiting',
  'failed',
  'retrying',
  'running',
  'pausing',
  'rejected',
  'unanswered',
  'done',
  'skipped',
  'idle',
];

/** Maps `loop[3].send` to `loop[].send`; steps of a nested workflow map to the step that calls it. */
export const nodeOf = (path: string): string => (path.split('/', 1)[0] ?? '').replace(/\[\d+\]/g, '[]');

type Open = readonly Pick<RunGate, 'path' | 'decision'>[];

const isBelow = (path: string, block: string): boolean =>
  path.startsWith(block) && /^[.[/]/.test(path.slice(block.length));

/** A rejected gate is done for the host, but must not be shown as a success. */
function asAnswered(path: string, gates: Open): ShownStepState {
  const last = gates.findLast((gate) => gate.path === path && gate.decision !== 'withdrawn')?.decision;
  if (last === 'reject') return 'rejected';
  return last === 'timeout' ? 'unanswered' : 'done';
}

/** A step waits for a person only if a gate is open, at the step or inside it. */
export function shownStepState({ path, state }: RunStep, gates: Open): ShownStepState {
  if (state === 'done') return asAnswered(path, gates);
  if (state !== 'waiting') return state;
  const asked = gates.some(
    (gate) => gate.decision === null && (gate.path === path || isBelow(gate.path, path)),
  );
  return asked ? 'waiting' : 'pausing';
}

export function statesByNode(steps: readonly RunStep[], gates: Open): ReadonlyMap<string, ShownStepState> {
  const states = new Map<string, ShownStepState>();
  for (const step of steps) {
    const node = nodeOf(step.path);
    const state = shownStepState(step, gates);
    const known = states.get(node);
    if (known === undefined || weight.indexOf(state) < weight.indexOf(known)) states.set(node, state);
  }
  return states;
}
