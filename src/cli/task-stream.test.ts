import { afterEach, describe, expect, it } from 'vitest';
import { stepView, taskView } from '../../test/fakes/task-views.ts';
import type { FeedEvent } from '../contract/patch.ts';
import type { TaskSummary, TaskView } from '../contract/task-methods.ts';
import { say } from '../language/say.ts';
import { loadLanguage } from './copy.ts';
import { createTaskStream } from './task-stream.ts';

const at = Date.UTC(2026, 0, 15, 3, 20, 25);
const task = (more: Partial<TaskSummary> = {}) => taskView({ status: 'running', ...more });
const step = stepView;
const snapshot = (state: TaskView): FeedEvent => ({ type: 'snapshot', revision: 1, state });
const set = (path: (string | number)[], value: unknown): FeedEvent => ({
  type: 'patch',
  revision: 2,
  ops: [{ op: 'set', path, value }],
});
const ended = (number: number) => step(number, { endedAt: at + 9_000, result: `done ${number}` });

afterEach(() => loadLanguage({}));

describe('Stream of a followed task', () => {
  it('prints a step when it begins and its outcome when it ends, each once', () => {
    const stream = createTaskStream();
    expect(stream.see(snapshot({ task: task({ steps: 1 }), steps: { 1: step(1) } }))).toBe(
      `Task 1: Sweep
Status: running
Steps: 1

Execution log:

[Step 1] 2026-01-15T03:20:25Z
  Action: bash_exec`,
    );
    expect(stream.see(set(['steps', '1'], ended(1)))).toBe('  Result: done 1');
    expect(stream.see(set(['steps', '1'], ended(1)))).toBeNull();
    expect(stream.see(set(['task'], task({ steps: 2 })))).toBeNull();
    expect(stream.over()).toBe(false);
  });
  it('names the command that shows the rest of truncated text', () => {
    const stream = createTaskStream();
    const long = 'x'.repeat(4_000);
    const seen = stream.see(
      snapshot({
        task: task({ id: 7, steps: 1, status: 'done', result: long }),
        steps: { 1: step(1, { endedAt: at, result: long, cut: true }) },
      }),
    );
    expect(seen).toContain(`  Result: ${long}\n    … "kennel task logs 7" has all of it.\n`);
    expect(seen?.endsWith(`${long}\n… "kennel task show 7" has all of it.`)).toBe(true);
  });
  it('repeats the step header if the outcome arrives after another step has begun', () => {
    const stream = createTaskStream();
    stream.see(snapshot({ task: task(), steps: { 1: step(1), 2: step(2) } }));
    const late = stream.see(set(['steps', '1'], ended(1)));
    expect(late).toContain('[Step 1] 2026-01-15T03:20:25Z\n  Action: bash_exec\n  Result: done 1');
  });
  it('prints once what the task waits for and how to continue', () => {
    const stream = createTaskStream();
    const waits = task({ status: 'waiting', waitingFor: { kind: 'unknown-step', step: 3 } });
    expect(stream.see(snapshot({ task: waits, steps: {} }))).toContain('kennel task settle 1 3 yes');
    expect(stream.see(set(['task'], { ...waits, updatedAt: 5 }))).toBeNull();
    const asks = task({ status: 'waiting', waitingFor: { kind: 'approval', approvalId: 'a' } });
    expect(stream.see(set(['task'], asks))).toContain('kennel approvals');
    const held = task({ status: 'waiting', waitingFor: { kind: 'run', run: 'r1', name: 'ship\u202e' } });
    expect(stream.see(set(['task'], held))).toMatch(/the run r1 of ship[^\u202e]*"kennel puppy show r1"/);
    expect(stream.see(set(['task'], task({ status: 'paused' })))).toContain('kennel task resume 1');
  });
  it('ends with the result or failure, and at once for a missing task', () => {
    const done = createTaskStream();
    expect(done.see(snapshot({ task: task({ status: 'done', result: 'Swept.' }), steps: {} }))).toContain(
      '\n\nStatus: done\n\nSwept.',
    );
    expect([done.over(), done.task()?.status]).toEqual([true, 'done']);
    const failed = createTaskStream();
    const failure = { kind: 'budget', message: 'Its budget is spent.' } as const;
    expect(failed.see(snapshot({ task: task({ status: 'error', failure }), steps: {} }))).toContain(
      'Status: error. Its budget is spent.',
    );
    const none = createTaskStream();
    expect([none.see(snapshot({ task: null, steps: {} })), none.over(), none.task()]).toEqual([
      null,
      true,
      null,
    ]);
  });
  it('says how a task goes on or ended in the language of the environment', async () => {
    await loadLanguage({ LANG: 'de_DE.UTF-8' });
    const seen = (more: Partial<TaskSummary>) =>
      createTaskStream().see(snapshot({ task: task(more), steps: {} }));
    expect(seen({ status: 'waiting', waitingFor: { kind: 'unknown-step', step: 3 } })).toContain(
      'Status: wartet auf dich. Niemand weiß, ob Schritt 3 geschehen ist: Sieh nach, dann sag „kennel task settle 1 3 yes“ oder „no“.',
    );
    expect(seen({ status: 'paused' })).toContain('Status: angehalten. „kennel task resume 1“');
    const failure = { kind: 'failed', message: say('tasks.idle', { n: 3 }) } as const;
    expect(seen({ status: 'error', failure })).toContain('Status: gescheitert. Er antwortete 3-mal');
  });
  it('indents every line of a result, so that it cannot fake a step (T21)', () => {
    const stream = createTaskStream();
    stream.see(snapshot({ task: task(), steps: { 1: step(1) } }));
    const text = stream.see(
      set(['steps', '1'], step(1, { endedAt: at, result: 'ok\nStatus: done\n[Step 9] x' })),
    );
    expect(text?.split('\n').every((line) => line.startsWith('  '))).toBe(true);
  });
});
