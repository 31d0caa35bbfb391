import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../test/fakes/memory-journal.ts';
import { watchPromises } from '../../../../test/fakes/workflow-lives.ts';
import {
  createWorkflowRig,
  person,
  type WorkflowRig,
  workflow,
} from '../../../../test/fakes/workflow-rig.ts';
import { englishText } from '../../../language/host-message.ts';
import type { GateReply } from './answer-gate.ts';
import type { Engine } from './engine.ts';
import { brokenAt } from './events.ts';

/** Idempotent, so a crash opens no `uncertain` gate. */
const after = '{id: b, run: say b, effect: idempotent}';
const asks = `steps: [{id: a, run: say a}, {id: g, approval: go}, ${after}]`;
const several =
  'steps: [{id: both, parallel: {branches: [{id: l, approval: left}, {id: r, approval: right}]}}, {id: b, run: say b, effect: idempotent}]';
const two = `steps: [{id: g, approval: {prompt: go, approvers: [ann, bob], needed: 2}}, ${after}]`;
const branching = `steps: [{id: g, approval: {prompt: go, on_reject: [{id: undo, run: say undo, effect: idempotent}]}}, ${after}]`;
const fails = `steps: [{id: a, run: say a}, {id: f, run: flaky 2 fine, effect: idempotent}, ${after}]`;

/** Repeats a request that had no visible effect; the engine refuses it if it was already recorded. */
type Say = (engine: Engine, run: string, rig: WorkflowRig) => Promise<void>;

const says = (rig: WorkflowRig, engine: Engine, by: string, answer: GateReply): void => {
  for (const { id } of rig.open()) engine.decide({ by: { gate: id }, actor: person(by), answer });
};
const cancel: Say = async (engine, run) => {
  await engine.cancel(run, 'ann');
};

const words: Readonly<Record<string, { readonly text: string; readonly say: Say }>> = {
  'a cancel of what waits': { text: asks, say: cancel },
  'a cancel of several questions': { text: several, say: cancel },
  'a yes': { text: asks, say: async (engine, _, rig) => says(rig, engine, 'ann', { type: 'approve' }) },
  'a no with a branch': {
    text: branching,
    say: async (engine, _, rig) => says(rig, engine, 'ann', { type: 'reject', reason: 'no' }),
  },
  'the votes of two': {
    text: two,
    say: async (engine, _, rig) => {
      for (const by of ['ann', 'bob']) says(rig, engine, by, { type: 'approve' });
    },
  },
  'a retry': {
    text: fails,
    say: async (engine, run) => {
      engine.retry(run, 'ann');
    },
  },
};

async function standing(rig: WorkflowRig, text: string): Promise<{ engine: Engine; run: string }> {
  const definition = workflow(text);
  watchPromises(rig, definition);
  const engine = rig.engine('first');
  const begun = engine.start({ definition, initiatedBy: null });
  if (!begun.ok) throw new Error(begun.error.message);
  await engine.drive(begun.value.id);
  return { engine, run: begun.value.id };
}

/**
 * The program that receives the request dies at this write; later programs drive the run and repeat the
 * request while it is open.
 */
async function live(text: string, say: Say, at: number, when: 'before' | 'after') {
  const rig = createWorkflowRig();
  const { engine, run } = await standing(rig, text);
  rig.journal.killAt(rig.journal.writes() + at, when);
  const speak = async (now: Engine): Promise<void> => {
    await say(now, run, rig);
    await now.drive(run);
  };
  await speak(engine).catch((error: unknown) => {
    if (!rig.journal.dead()) throw error;
  });
  const died = rig.journal.dead();
  rig.journal.restart();
  const next = rig.engine('next');
  await next.drive(run);
  if (rig.open().length > 0 || next.show(run)?.status === 'failed') await speak(next);
  const state = next.show(run);
  expect(brokenAt(sha256, run, rig.journal.events(run, 0))).toBeNull();
  expect(rig.breaches).toEqual([]);
  expect(rig.open(), 'nothing is asked any more').toEqual([]);
  expect(rig.journal.run(run)).toMatchObject({ status: state?.status, owner: null, wakeAt: null });
  const gates = [...(state?.gates.values() ?? [])].map((gate) => [
    gate.path,
    gate.decision,
    gate.by,
    gate.votes,
  ]);
  return {
    died,
    status: state?.status,
    message: englishText(state?.message ?? ''),
    gates,
    done: [...new Set(rig.effects.map(({ path }) => path))],
  };
}

describe('Host killed at any write of a user action', () => {
  for (const [name, { text, say }] of Object.entries(words)) {
    it(`applies the action once and ends the run the same way: ${name} (F1, T8)`, async () => {
      const { died: lived, ...whole } = await live(text, say, 1_000, 'after');
      expect(lived).toBe(false);
      expect(['ok', 'cancelled']).toContain(whole.status);
      let deaths = 0;
      for (let at = 1; deaths === 2 * (at - 1); at += 1) {
        for (const when of ['before', 'after'] as const) {
          const { died, ...killed } = await live(text, say, at, when);
          deaths += died ? 1 : 0;
          expect({ at, when, ...killed }).toEqual({ at, when, ...whole });
        }
      }
      expect(deaths).toBeGreaterThan(1);
    });
  }
});
