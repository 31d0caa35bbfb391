import { describe, expect, it } from 'vitest';
import { eachTestWithTasks } from '../../../test/fakes/each-test-with-tasks.ts';
import { countingTool } from '../../../test/fakes/runtime-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import { Killed, killedAfter, type TaskRigOptions, taskRig } from '../../../test/fakes/task-rig.ts';
import { addSample, must } from '../../../test/fakes/task-samples.ts';
import { transcriptText } from '../../core/models/messages.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';

let store: TaskStore;
eachTestWithTasks((opened) => {
  store = opened;
});

const remember = (id: string, facts: unknown) => calls([id, 'task_remember', { facts }]);
const finish = (id: string) => calls([id, 'finish', { result: 'ok' }]);
const write = (id: string, place: string) => calls([id, 'write', { path: place }]);

describe('task_remember', () => {
  it('notes, replaces and forgets facts per step, and refuses a value over the size limit', async () => {
    const { id } = addSample(store, { agent: 'a', memory: { given: 'before' } });
    const r = taskRig([
      remember('c1', { invoice: 'A-17', draft: 1 }),
      remember('c2', { draft: null, given: 'after' }),
      remember('c3', { long: 'x'.repeat(5_000) }),
      finish('f'),
    ]);
    const done = await r.work(store);
    expect(done?.memory).toEqual({ invoice: 'A-17', given: 'after' });
    const noted = store.steps(id, 0, 20).filter(({ action }) => action === 'task_remember');
    expect(noted.map(({ memory }) => memory)).toEqual([
      { invoice: 'A-17', draft: 1 },
      { draft: null, given: 'after' },
      {},
    ]);
    expect(noted[2]?.error).toContain('"long" has more than 4096 bytes. Nothing was noted.');
    const fork = must(store.fork(id, 2, 9));
    expect(fork.memory).toEqual({ given: 'before', invoice: 'A-17', draft: 1 });
  });

  it('F1 keeps the same facts after a kill at any write and notes none twice', async () => {
    const replies = [remember('c1', { n: 1 }), remember('c2', { n: null, m: 2 }), finish('f')];
    for (let at = 0; at < 13; at += 1) {
      const { id } = addSample(store, { agent: 'a' });
      const r = taskRig([...replies]);
      await r.work(killedAfter(store, at)).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      const answered = store.steps(id, 0, 50).filter((s) => s.kind === 'decision' && s.endedAt !== null);
      const rest = taskRig(replies.slice(answered.length));
      for (const { task, claim } of store.held()) must(store.change(task, { type: 'recovered', claim }, 5));
      await rest.work(store);
      expect(store.task(id), `killed at ${at}`).toMatchObject({ status: 'done', memory: { m: 2 } });
      const noted = store.steps(id, 0, 50).filter(({ action }) => action === 'task_remember');
      expect(
        noted.map(({ memory }) => memory),
        `killed at ${at}`,
      ).toEqual([{ n: 1 }, { n: null, m: 2 }]);
    }
  });

  it('repeats the noted facts verbatim below a summary, also for the next claim', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const pages = countingTool('write', {
      execute: async (args) => ({
        content: [{ type: 'text', text: args.path === 'short' ? 'ok' : 'x'.repeat(12_800) }],
      }),
    });
    let paused = false;
    const options: TaskRigOptions = {
      tools: [pages],
      contextWindow: 8_000,
      check: async ({ callId }) => {
        if (callId === 'c4' && !paused) must(store.change(id, { type: 'pause' }, 3));
        paused ||= callId === 'c4';
        return { type: 'allow', by: 'policy', receiptId: null };
      },
    };
    const long = [write('c2', 'x'), write('c3', 'y'), says('what was')];
    const r = taskRig(
      [remember('c1', { invoice: 'A-17' }), ...long, write('c4', 'short'), finish('f')],
      options,
    );
    const opening = (): string => {
      const message = r.requests.at(-1)?.context.messages[0];
      return message ? transcriptText(message) : '';
    };
    expect(await r.work(store)).toMatchObject({ status: 'paused' });
    const before = opening();
    expect(before).toContain('what was\n\nNoted in this task, as JSON:\n{"invoice":"A-17"}');
    must(store.change(id, { type: 'resume' }, 4));
    expect(await r.work(store)).toMatchObject({ status: 'done' });
    expect(opening()).toBe(before);
  });

  it('T9 keeps the next claim tainted if a fact was noted beside untrusted content', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const tainted: boolean[] = [];
    let foreign = true;
    const options: TaskRigOptions = {
      tools: [countingTool('write')],
      foreignNotes: () => foreign,
      check: async (call) => {
        tainted.push(call.tainted);
        if (call.callId === 'c1' && foreign) must(store.change(id, { type: 'pause' }, 3));
        return { type: 'allow', by: 'policy', receiptId: null };
      },
    };
    const r = taskRig([remember('c0', { n: 1 }), write('c1', 'x'), write('c2', 'y'), finish('f')], options);
    await r.work(store);
    // The agent's own notes are clean again; the task stays tainted.
    foreign = false;
    must(store.change(id, { type: 'resume' }, 4));
    expect(await r.work(store)).toMatchObject({ status: 'done' });
    // The paused call is checked again.
    expect(tainted).toEqual([true, true, true]);
    const clean = addSample(store, { agent: 'a' });
    tainted.splice(0);
    await taskRig([remember('c0', { n: 1 }), write('c3', 'x'), finish('f')], options).work(store);
    expect([store.task(clean.id)?.memory, tainted]).toEqual([{ n: 1 }, [false]]);
  });
});
