import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaseOf, must, openSampleTasks } from '../../../test/fakes/task-samples.ts';
import { err, ok } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { noneSpent } from '../../core/models/usage.ts';
import type { HandOut } from '../../core/tasks/hand-out-port.ts';
import { newTask } from '../../core/tasks/task.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { createHandOuts } from './hand-out.ts';

let folder: string;
let store: TaskStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-tasks-'));
  store = openSampleTasks(path.join(folder, 'tasks.db'));
  store.setConcurrency('a', 4);
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true, force: true });
});

const work: HandOut = {
  goal: 'Look',
  agent: 'A',
  schema: null,
  maxUsd: 2,
  key: 'run-1/look',
  initiatedBy: 'weekly',
};
const forever = new AbortController().signal;

function handOutsFor(cancel = (id: number): void => void store.change(id, { type: 'cancel' }, 100)) {
  return createHandOuts({
    add: (draft) => store.add({ task: newTask(draft, 100), steps: [] }).task,
    agentId: (wanted) => ok(wanted.toLowerCase()),
    cancel,
  });
}

function end(id: number, event: { result: string } | { kind: 'failed' | 'budget' }): void {
  const lease = leaseOf('w');
  const task = store.claim({ lease, now: 100, only: id });
  const by = { owner: 'w', claim: task?.claim ?? 0 };
  if ('result' in event) must(store.change(id, { type: 'finished', by, result: event.result }, 101));
  else must(store.change(id, { type: 'failed', by, failure: { kind: event.kind, message: 'Why.' } }, 101));
}

describe('Task handed to an agent', () => {
  it('is stored and awaited to its end', async () => {
    const handOuts = handOutsFor();
    const handed = handOuts.handOut(work, forever);
    const [task] = store.list({ limit: 5 });
    expect(task).toMatchObject({ agent: 'a', project: 'weekly', budget: { usd: 2 } });
    end(1, { result: 'seen' });
    const done = store.task(1);
    if (done) handOuts.ended(done);
    expect(await handed).toEqual(ok({ task: 1, text: 'seen', value: 'seen', used: noneSpent }));
  });

  it('fails with the store error if it cannot be cancelled (F4)', async () => {
    const full = new StoreError('disk_full', 'The disk is full.');
    const handOuts = handOutsFor(() => {
      throw full;
    });
    const stop = new AbortController();
    const handed = handOuts.handOut(work, stop.signal);
    stop.abort('stopped');
    expect(await handed).toEqual(err({ error: full.toAppError(), used: noneSpent }));
  });

  it('F1 is reused under the same key and returns its result on each call', async () => {
    void handOutsFor().handOut(work, forever);
    end(1, { result: 'seen' });
    expect(await handOutsFor().handOut(work, forever)).toMatchObject({ value: { task: 1, text: 'seen' } });
    expect(store.list({ limit: 5 })).toHaveLength(1);
  });

  it('returns a value that matches its schema', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } };
    void handOutsFor().handOut({ ...work, schema }, forever);
    end(1, { result: '{"n":3}' });
    expect(await handOutsFor().handOut({ ...work, schema }, forever)).toMatchObject({
      value: { value: { n: 3 } },
    });
  });

  it.each([
    ['failed', 'model_error'],
    ['budget', 'rate_limited'],
  ] as const)('that ends with %s returns the error %s', async (kind, code) => {
    void handOutsFor().handOut(work, forever);
    end(1, { kind });
    expect(await handOutsFor().handOut(work, forever)).toMatchObject({
      ok: false,
      error: { error: { code } },
    });
  });

  it('is cancelled with its caller but kept on a host shutdown', async () => {
    const stopping = new AbortController();
    const left = handOutsFor().handOut(work, stopping.signal);
    stopping.abort('interrupted');
    expect(await left).toMatchObject({ error: { error: { code: 'unavailable' } } });
    expect(store.task(1)?.status).toBe('pending');
    const over = new AbortController();
    const cancelled = handOutsFor().handOut(work, over.signal);
    over.abort();
    expect(await cancelled).toMatchObject({ error: { error: { code: 'cancelled' } } });
    expect(store.task(1)).toMatchObject({ status: 'error', failure: { kind: 'cancelled' } });
  });
});
