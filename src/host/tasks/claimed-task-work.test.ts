import { expect, it } from 'vitest';
import { eachTestWithTasks } from '../../../test/fakes/each-test-with-tasks.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { addSample, leaseOf } from '../../../test/fakes/task-samples.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import type { RuntimePort } from '../../core/supervisor/runtime-port.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { createTaskWork, type WorkOnDeps } from './claimed-task-work.ts';

let store: TaskStore;
eachTestWithTasks((opened) => {
  store = opened;
});

it('Work on a task ends the program of its claim, so that none idles for the next one', async () => {
  addSample(store, { agent: 'a' });
  const clock = createVirtualClock();
  const task = store.claim({ lease: leaseOf('worker'), now: clock.now() });
  if (!task) throw new Error('No task is ready.');
  const done: string[] = [];
  const runtime: RuntimePort = {
    run: () =>
      (async function* () {
        done.push('ran');
        yield { type: 'turn_done', parts: ['Done.'], messageSent: false, transcript: [] };
      })(),
    close: async () => void done.push('closed'),
  };
  const capabilities = {
    context: async () => ({
      prompt: { primer: '', profile: '', memory: '' },
      persona: { displayName: 'A', slug: 'a-1', role: '' },
      maxInlineChars: 4_000,
      segmentChars: 2_000,
      plainModel: true,
      untrustedNotes: '',
      onArrival: 'steer',
    }),
    taskRuntime: async () => runtime,
  };
  const work = createTaskWork({
    agents: { runner: () => ({ capabilities }) },
    pauses: () => null,
    worktrees: { ready: async () => ok(null) },
    work: { store, clock, random: { fraction: () => 0 }, log: createRecordingLog() },
  } as unknown as WorkOnDeps);
  const never = new AbortController().signal;
  const claim = { owner: 'worker', claim: task.claim };
  await work({ task, claim, signal: never, leaving: never }, () => undefined);
  expect(done).toEqual(['ran', 'closed']);
});
