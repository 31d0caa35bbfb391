/**
 * Drives one run of the rig to its end through faults of its processes and its journal, and checks its
 * invariants.
 */

import { expect } from 'vitest';
import { StoreError } from '../../src/core/lib/store-error.ts';
import type { GateReply } from '../../src/core/workflows/engine/answer-gate.ts';
import type { Engine } from '../../src/core/workflows/engine/engine.ts';
import type { StepCall } from '../../src/core/workflows/engine/engine-ports.ts';
import { brokenAt } from '../../src/core/workflows/engine/events.ts';
import { stepPlace, type WorkflowDefinition } from '../../src/core/workflows/file/definition.ts';
import { englishText } from '../../src/language/host-message.ts';
import { sha256 } from './memory-journal.ts';
import { guardsOf } from './random-workflow.ts';
import { person, type WorkflowRig } from './workflow-rig.ts';

/** Checks, at each effect, that a step does not run again after its end, nor before its approval. */
export function watchPromises(rig: WorkflowRig, definition: WorkflowDefinition): void {
  const guards = guardsOf(definition.steps);
  rig.watch((call: StepCall) => {
    const events = rig.journal.events(call.run, 0).map(({ event }) => event);
    const ended = events.some((event) => event.type === 'step_ended' && event.path === call.path);
    if (ended) return `${call.path} runs again after its end`;
    const rounds = [...call.path.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    for (const gate of guards.get(call.step.path) ?? []) {
      const place = stepPlace(gate.path, rounds);
      const ids = events.flatMap((e) => (e.type === 'gate_opened' && e.path === place ? [e.gate] : []));
      const skipped = events.some((e) => e.type === 'step_skipped' && e.path === place);
      const passed = events.some(
        (e) =>
          e.type === 'gate_decided' &&
          ids.includes(e.gate) &&
          (e.decision === 'approve' || gate.approval?.onReject.then === 'continue'),
      );
      if (!passed && !skipped) return `${call.path} runs before ${place} was approved`;
    }
    return null;
  });
}

/**
 * Answers open gates, each path always in the same way; for an uncertain step, the effects tell the answer.
 */
export function answerGates(
  rig: WorkflowRig,
  engine: Engine,
  run: string,
  no: (path: string) => boolean,
): boolean {
  const state = engine.show(run);
  let answered = false;
  for (const { id, path } of rig.open()) {
    const kind = state?.gates.get(id)?.content.kind;
    const seen = rig.effects.some((effect) => effect.path === path);
    const plain: GateReply = { type: no(path) ? 'reject' : 'approve' };
    const answer: GateReply = kind === 'uncertain' ? { type: seen ? 'done' : 'repeat' } : plain;
    answered = engine.decide({ by: { gate: id }, actor: person(), answer }).ok || answered;
  }
  return answered;
}

/** A write, counted from the start of a process, and its fault. */
export interface Fault {
  readonly write: number;
  /** The process dies before or after the write; or the disk rejects it and the process stays alive. */
  readonly when: 'before' | 'after' | 'refused';
  /** Number of consecutive rejected writes. */
  readonly times?: number;
  /** Wall clock error after the restart, in ms. */
  readonly clockMs?: number;
}

export interface Outcome {
  readonly status: string | undefined;
  readonly message: string | null | undefined;
  readonly done: readonly string[];
  readonly writes: number;
}

const longMs = 7 * 86_400_000;

function prepare(rig: WorkflowRig, { write, when, times = 1 }: Fault): void {
  const at = rig.journal.writes() + write;
  if (when === 'refused') rig.journal.refuse(at, times);
  else rig.journal.killAt(at, when);
}

/**
 * Starts the run. With a key, the run is saved at once; without one, its first write saves it, so after a
 * kill it may have to start again.
 */
function begin(rig: WorkflowRig, engine: Engine, definition: WorkflowDefinition, keyed: boolean): string {
  const request = { definition, initiatedBy: 'ann' } as const;
  const known = rig.journal.runs({ limit: 1 })[0];
  const begun = keyed
    ? engine.start({ ...request, idempotencyKey: 'the run' })
    : known
      ? { ok: true as const, value: known }
      : engine.begin(request);
  if (!begun.ok) throw new Error(begun.error.message);
  return begun.value.id;
}

/** Drives a run to its end in as many processes as needed. A failed disk leaves the process alive. */
export async function live(
  rig: WorkflowRig,
  definition: WorkflowDefinition,
  faults: readonly Fault[],
  no: (path: string) => boolean = () => false,
  keyed = true,
): Promise<Outcome> {
  watchPromises(rig, definition);
  let run = '';
  const left = [...faults];
  let engine = rig.engine('program-0');
  for (let program = 0; program < 60 + faults.length; program += 1) {
    const fault = left.shift();
    if (fault) prepare(rig, fault);
    let failed = false;
    try {
      run = begin(rig, engine, definition, keyed);
      await engine.drive(run, { patienceMs: longMs });
      while (answerGates(rig, engine, run, no)) await engine.drive(run, { patienceMs: longMs });
    } catch (error) {
      if (!rig.journal.dead() && !(error instanceof StoreError)) throw error;
      failed = true;
    }
    if (rig.journal.dead()) engine = rig.engine(`program-${program + 1}`);
    rig.journal.restart();
    if (fault?.clockMs !== undefined) rig.clock.jump(fault.clockMs);
    if (!failed && left.length === 0) break;
  }
  const state = rig.engine('reader').show(run);
  expect(rig.journal.runs({ limit: 9 })).toHaveLength(1);
  expect(brokenAt(sha256, run, rig.journal.events(run, 0))).toBeNull();
  expect(rig.breaches).toEqual([]);
  const done = [...new Set(rig.effects.map(({ path }) => path))].toSorted();
  return {
    status: state?.status,
    message: state?.message == null ? state?.message : englishText(state.message),
    done,
    writes: rig.journal.writes(),
  };
}

export function onceOnly(rig: WorkflowRig): void {
  const paths = rig.effects.filter((one) => one.effect === 'once').map(({ path }) => path);
  expect(paths.toSorted()).toEqual([...new Set(paths)].toSorted());
}

/** Every step has the class `once` unless it declares another. */
export const definitions: Readonly<Record<string, string>> = {
  'plain steps': 'steps: [{id: a, run: say a}, {id: b, run: say b}, {id: c, run: echo, stdin: $a.stdout}]',
  gates:
    'steps: [{id: a, run: say a, approval: first}, {id: b, run: say b}, {id: g, approval: second}, {id: c, run: say c}]',
  'a loop with gates': `
steps:
  - {id: list, run: 'say [1,2,3]', effect: pure}
  - id: each
    for_each: $list.json
    pause_ms: 50
    steps: [{id: ask, approval: go}, {id: send, run: echo, stdin: $item}]`,
  'branches with gates': `
steps:
  - id: both
    parallel:
      branches:
        - {id: left, run: say l, approval: go}
        - {id: right, run: slow 20 r}
  - {id: end, run: say end}`,
  'harmless steps':
    'steps: [{id: a, pipeline: exec say a, effect: pure}, {id: b, run: say b}, {id: c, pipeline: exec say c, effect: pure}, {id: g, approval: go}, {id: d, pipeline: exec say d, effect: pure}, {id: e, run: say e}]',
  'a sleep': 'steps: [{id: a, run: say a}, {id: s, sleep: 2s}, {id: b, run: say b}]',
  'a pipeline with a gate': 'steps: [{id: p, pipeline: "exec say x | approve"}, {id: b, run: say b}]',
  'a handled failure':
    'steps: [{id: a, run: fail, effect: idempotent, on_error: continue}, {id: b, run: say b, when: $a.error}, {id: c, run: fail x at the end, effect: pure}]',
};
