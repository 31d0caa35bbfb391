import { describe, expect, it } from 'vitest';
import { eachTestWithTasks } from '../../../test/fakes/each-test-with-tasks.ts';
import { countingTool } from '../../../test/fakes/runtime-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import { Killed, killedAfter, taskRig } from '../../../test/fakes/task-rig.ts';
import { addSample, must } from '../../../test/fakes/task-samples.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';

let store: TaskStore;
eachTestWithTasks((opened) => {
  store = opened;
});

const replies = [
  calls(['c1', 'read', { path: 'x' }], ['c2', 'write', { path: 'x' }]),
  says('I believe I am done.'),
  calls(['c3', 'write', { path: 'y' }]),
  calls(['c4', 'finish', { result: 'x and y' }]),
];

/** Resumes what survived the kill; the operator reports whether an interrupted write had happened. */
async function bringToItsEnd(id: number, r: ReturnType<typeof taskRig>, wrote: readonly string[]) {
  for (let life = 0; life < 4; life += 1) {
    for (const { task, claim } of store.held()) must(store.change(task, { type: 'recovered', claim }, 5));
    const task = store.task(id);
    if (task?.status === 'done') return task;
    if (task?.waitingFor?.kind === 'unknown-step') {
      const { step } = task.waitingFor;
      const [found] = store.steps(id, step - 1, 1);
      const happened = wrote.some((line) => line.startsWith(`${found?.callId} `));
      must(store.settleUnknown(id, step, happened ? 'yes' : 'no', 6));
    }
    await r.work(store);
  }
  return store.task(id);
}

describe('Task after a process crash', () => {
  it('F1, F3 ends as if never killed: no tool action runs twice and at most one model reply is lost', async () => {
    // Model replies, calls and the task's end; each of the first two starts and ends.
    const writes = 4 * 2 + 4 * 2 + 1;
    for (let at = 0; at <= writes; at += 1) {
      const { id } = addSample(store, { agent: 'a' });
      const [read, write] = [
        countingTool('read', { replay: 'safe' }),
        countingTool('write', { replay: 'never' }),
      ];
      const told: string[] = [];
      const r = taskRig([...replies], { tools: [read, write], told });
      let killed = false;
      await r.work(killedAfter(store, at)).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        killed = true;
      });
      const answered = store.steps(id, 0, 50).filter((s) => s.kind === 'decision' && s.endedAt !== null);
      const asked = r.requests.length;
      const lost = asked - answered.length;
      expect(lost, `answers lost, killed at ${at}`).toBeLessThanOrEqual(1);
      const again = lost === 0 ? [] : [replies[asked - 1]].flatMap((one) => one ?? []);
      const rest = taskRig([...again, ...replies.slice(asked)], { tools: [read, write], told });
      const done = await bringToItsEnd(id, rest, write.done);
      expect(done, `killed at ${at}`).toMatchObject({ status: 'done', result: 'x and y' });
      expect(asked + rest.requests.length - lost).toBe(replies.length);
      expect([...write.done], `killed at ${at}`).toEqual(['c2 x', 'c3 y']);
      expect(new Set(read.done)).toEqual(new Set(['c1 x']));
      expect(new Set(told)).toEqual(new Set(['x and y']));
      expect(killed).toBe(at < writes);
    }
  });
});
