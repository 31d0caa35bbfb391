import { describe, expect, it } from 'vitest';
import { eachTestWithTasks } from '../../../test/fakes/each-test-with-tasks.ts';
import { countingTool } from '../../../test/fakes/runtime-rig.ts';
import { calls, fails, says } from '../../../test/fakes/scripted-stream.ts';
import { Killed, killedAfter, type TaskRigOptions, taskRig } from '../../../test/fakes/task-rig.ts';
import { addSample, must } from '../../../test/fakes/task-samples.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { transcriptText } from '../../core/models/messages.ts';
import { noneSpent } from '../../core/models/usage.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { resultSchema } from '../../core/tasks/task-prompts.ts';
import { englishText } from '../../language/host-message.ts';

let store: TaskStore;
eachTestWithTasks((opened) => {
  store = opened;
});

const finish = (id: string, result: unknown) => calls([id, 'finish', { result }]);
const steps = (id: number) =>
  store.steps(id, 0, 100).map(({ action, error }) => (error === null ? action : `${action}: ${error}`));
const rig = (replies: Parameters<typeof taskRig>[0], options: TaskRigOptions = {}) =>
  taskRig(replies, { tools: [countingTool('write')], ...options });
const lastHeard = ({ requests }: ReturnType<typeof taskRig>): string => {
  const message = requests.at(-1)?.context.messages.at(-1);
  return message ? transcriptText(message) : '';
};

describe('Work on a task', () => {
  it('ends only with finish; text without a call is corrected and fails after three times', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const r = rig([says('done'), says('success'), says('complete')]);
    expect(await r.work(store)).toMatchObject({ status: 'error', failure: { kind: 'failed' } });
    expect(lastHeard(r)).toContain('You called no tool.');
    must(store.change(id, { type: 'retry' }, 2));
    expect(await rig([finish('f', 'now')]).work(store)).toMatchObject({ status: 'done', result: 'now' });
  });

  it('runs no more calls per reply than allowed', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const write = countingTool('write');
    const many = calls(
      ...(['c1', 'c2', 'c3'] as const).map((call) => [call, 'write', { path: call }] as const),
    );
    await rig([many, finish('f', 'ok')], { tools: [write], toolsPerStep: 2 }).work(store);
    expect(write.done).toEqual(['c1 c1', 'c2 c2']);
    expect(steps(id)).toContain('write: Only 2 calls run after one answer. Make this one again in the next.');
  });

  it('handles two calls with the same id as separate calls', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const write = countingTool('write');
    const same = calls(['call_0', 'write', { path: 'x' }]);
    const done = await rig([same, same, finish('call_0', 'ok')], { tools: [write] }).work(store);
    expect(done).toMatchObject({ status: 'done', result: 'ok' });
    expect(write.done).toHaveLength(2);
    expect(store.steps(id, 0, 9).map(({ callId }) => callId)).toEqual([
      'decision-1',
      'call_0',
      'decision-2',
      'call_0#2',
      'decision-3',
      'call_0#3',
    ]);
  });

  it('pauses between two calls of one reply and runs the second after resume', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const write = countingTool('write', {
      execute: async (_args, { callId }) => {
        write.done.push(callId);
        if (callId === 'c1') must(store.change(id, { type: 'pause' }, 3));
        return { content: [{ type: 'text', text: 'ok' }] };
      },
    });
    const r = rig([calls(['c1', 'write', {}], ['c2', 'write', {}]), finish('f', 'ok')], { tools: [write] });
    expect(await r.work(store)).toMatchObject({ status: 'paused', steps: 2 });
    expect(write.done).toEqual(['c1']);
    must(store.change(id, { type: 'resume' }, 4));
    expect(await r.work(store)).toMatchObject({ status: 'done', result: 'ok' });
    expect(write.done).toEqual(['c1', 'c2']);
    expect(r.requests).toHaveLength(2);
  });

  it('F25 releases its worker during an approval and acts on the stored answer', async () => {
    addSample(store, { agent: 'a' });
    const write = countingTool('write');
    let answer = (_decision: GateDecision): void => undefined;
    const kept = new Promise<GateDecision>((resolve) => {
      answer = resolve;
    });
    let asked = true;
    const r = rig([calls(['c1', 'write', { path: 'x' }]), finish('f', 'ok')], {
      tools: [write],
      check: () => kept,
      waitingFor: ({ callId }) => (asked && callId === 'c1' ? 'ap_1' : null),
    });
    expect(await r.work(store)).toMatchObject({ status: 'waiting', lease: null });
    expect([await r.work(store), write.done]).toEqual([null, []]);
    asked = false;
    answer({ type: 'allow', by: 'operator', receiptId: 'r' });
    must(store.change(1, { type: 'approval-answered', approvalId: 'ap_1' }, 4));
    expect(await r.work(store)).toMatchObject({ status: 'done' });
    expect(write.done).toEqual(['c1 x']);
    expect(r.requests).toHaveLength(2);
  });

  it('waits for the run that its call started, survives a kill at any write, and repeats the call once', async () => {
    for (let writes = 0; writes < 16; writes += 1) {
      const { id } = addSample(store, { agent: 'a' });
      const over = { run: false };
      const begun = new Set<string>();
      const puppy = countingTool('puppy_run', {
        replay: 'safe',
        execute: async (_args, { turnId, callId }) => {
          begun.add(`${turnId} ${callId}`);
          const text = over.run ? 'the end' : 'it waits';
          return { content: [{ type: 'text', text }], ...(over.run ? {} : { awaits: 'r1' }) };
        },
      });
      const same = calls(['call_0', 'puppy_run', {}]);
      const options = { tools: [puppy], isOver: () => over.run };
      await rig([same, same, finish('f', 'ok')], options)
        .work(killedAfter(store, writes))
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
      const left = must(ok(store.task(id)));
      if (left?.status === 'running') must(store.change(id, { type: 'recovered', claim: left.claim }, 5));
      const r = rig(
        left?.steps === 0 || (left?.open.includes(1) ?? false)
          ? [same, finish('f', 'ok')]
          : [finish('f', 'ok')],
        options,
      );
      if (store.task(id)?.status === 'pending') await r.work(store);
      expect(store.task(id)).toMatchObject({
        status: 'waiting',
        lease: null,
        waitingFor: { kind: 'run', run: 'r1' },
      });
      expect(await r.work(store)).toBeNull();
      over.run = true;
      must(store.change(id, { type: 'run-ended', run: 'r1' }, 6));
      expect(await r.work(store), `killed after ${writes} writes`).toMatchObject({
        status: 'done',
        open: [],
      });
      expect([...begun]).toEqual([`task-${id} call_0`]);
      expect(steps(id)).toEqual(['decision', 'puppy_run', 'decision', 'finish']);
      const heard = r.requests.at(-1)?.context.messages ?? [];
      expect(heard.filter(({ role }) => role === 'toolResult').map(transcriptText)).toEqual(['the end']);
    }
  });

  it('ends a call that cannot be repeated with an error result', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const waits = countingTool('puppy_run', {
      replay: 'safe',
      execute: async () => ({ content: [{ type: 'text', text: 'it waits' }], awaits: 'r1' }),
    });
    await rig([calls(['c1', 'puppy_run', {}])], { tools: [waits] }).work(store);
    must(store.change(id, { type: 'run-ended', run: 'r1' }, 6));
    const r = rig([finish('f', 'ok')], { tools: [] });
    expect(await r.work(store)).toMatchObject({ status: 'done' });
    expect(steps(id)[1]).toContain('puppy_run: There is no tool named puppy_run');
  });

  it('counts the model usage of its tools against the budget', async () => {
    addSample(store, { agent: 'a', budget: { tokens: 500 } });
    const dear = countingTool('llm_task', {
      execute: async () => ({ content: [], used: { ...noneSpent, tokens: 600, usd: 0.5 } }),
    });
    const r = rig([calls(['c1', 'llm_task', {}]), says('a thought'), finish('f', 'never')], {
      tools: [dear],
    });
    const spent = await r.work(store);
    expect(spent).toMatchObject({ status: 'error', failure: { kind: 'budget' } });
    expect(spent?.used.tokens).toBeGreaterThanOrEqual(600);
  });

  it('fails under a dollar budget if the model price is unknown, and says how to set it', async () => {
    const { id } = addSample(store, { agent: 'a', budget: { usd: 1 } });
    const r = rig([finish('f', 'never')], { price: null });
    expect(await r.work(store)).toMatchObject({
      status: 'error',
      failure: {
        kind: 'budget',
        message: { text: expect.stringMatching(/price of fake\/m is unknown.*Set a price/) },
      },
    });
    expect([r.requests.length, store.task(id)?.used.tokens]).toEqual([0, 0]);
    const free = addSample(store, { agent: 'a', budget: { tokens: 500 } });
    await rig([{ ...finish('f', 'ok'), totalTokens: 9 }], { price: null }).work(store);
    expect(store.task(free.id)).toMatchObject({ status: 'done', used: { usd: 0, unpriced: 9 } });
  });

  it('counts simulated demo dollars separately against the budget', async () => {
    const budget = { usd: 0.000_005 };
    addSample(store, { agent: 'a', budget });
    const turn = { ...calls(['c1', 'write', { path: 'x' }]), input: 10 };
    const played = await rig([turn, finish('f', 'never')]).work(store);
    expect(played).toMatchObject({ status: 'error', used: { usd: 0 }, failure: { kind: 'budget' } });
    expect(englishText(played?.failure?.message ?? '')).toContain("demo's simulated money");
    expect(played?.used.simulatedUsd).toBeGreaterThan(0);
  });

  it('gives calls with equal ids separate idempotency keys', async () => {
    addSample(store, { agent: 'a' });
    const keys: string[] = [];
    const send = countingTool('send', {
      execute: async (_args, { callId }) => {
        keys.push(callId);
        return { content: [{ type: 'text', text: 'ok' }] };
      },
    });
    const same = calls(['call_0', 'send', {}]);
    await rig([same, same, finish('f', 'ok')], { tools: [send] }).work(store);
    expect(keys).toEqual(['call_0', 'call_0#2']);
  });

  it('with a result schema ends only on a matching result', async () => {
    const schema = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/n' } },
      required: ['n'],
      $defs: { n: { type: 'integer' } },
    };
    addSample(store, { agent: 'a', memory: { [resultSchema]: schema } });
    const r = rig([finish('f1', { n: 'many' }), finish('f2', { n: 3 })]);
    expect(await r.work(store)).toMatchObject({ status: 'done', result: '{"n":3}' });
    expect(lastHeard(r)).toContain('result.n must be integer');
  });

  it('retries while the server is away and fails after 15 minutes', async () => {
    addSample(store, { agent: 'a' });
    const away = () =>
      fails('gone', { error: textError('unavailable', 'The server is away.'), retryable: false });
    const r = rig([away(), away(), finish('f', 'ok')]);
    const working = r.work(store);
    await r.clock.runAll();
    expect(await working).toMatchObject({ status: 'done' });
    addSample(store, { agent: 'a' });
    const never = rig(Array.from({ length: 20 }, away));
    const failing = never.work(store);
    await never.clock.runAll();
    expect(await failing).toMatchObject({ failure: { kind: 'failed', message: 'The server is away.' } });
    expect(never.requests).toHaveLength(7);
  });

  it('retries after a server rate limit but not after a used-up budget', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const often = { error: textError('rate_limited', 'The server is asked too often.'), retryable: false };
    const r = rig([fails('later', often), finish('f', 'ok')]);
    const working = r.work(store);
    await r.clock.runAll();
    expect(await working).toMatchObject({ status: 'done', result: 'ok' });
    expect(steps(id)[0]).toBe('decision: The server is asked too often.');
    addSample(store, { agent: 'a' });
    const usedUp = textError('rate_limited', 'The budget of A is used up.');
    const poor = rig([finish('f', 'never')], { admit: () => err(usedUp) });
    expect(await poor.work(store)).toMatchObject({
      status: 'error',
      failure: { kind: 'budget', message: usedUp.message },
      open: [],
    });
    expect([poor.requests, steps(2)]).toEqual([[], [`decision: ${usedUp.message}`]]);
  });

  it('is interrupted during a model reply on a host stop, but not during a tool call', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const leave = new AbortController();
    let done = (): void => undefined;
    const slow = countingTool('write', {
      execute: () =>
        new Promise((resolve) => {
          done = () => resolve({ content: [{ type: 'text', text: 'ok' }] });
        }),
    });
    const hangs = { ...says('a long answer'), hangAfter: 0 };
    const r = rig([calls(['c1', 'write', {}]), hangs, finish('f', 'ok')], { tools: [slow] });
    const first = r.work(store, { leaving: leave.signal });
    await settle(20);
    leave.abort();
    await settle(20);
    expect(store.task(id)?.status).toBe('running');
    done();
    expect(await first).toMatchObject({ status: 'pending', open: [], steps: 2 });
    const again = new AbortController();
    const second = r.work(store, { leaving: again.signal });
    await settle(20);
    again.abort();
    expect(await second).toMatchObject({ status: 'pending', steps: 3 });
    expect(await r.work(store)).toMatchObject({ status: 'done', steps: 4 });
  });

  it('is interrupted at once when it is cancelled', async () => {
    const { id } = addSample(store, { agent: 'a' });
    const cut = new AbortController();
    const r = rig([{ ...says('a long answer'), hangAfter: 0 }]);
    const working = r.work(store, { signal: cut.signal });
    await settle(20);
    must(store.change(id, { type: 'cancel' }, 3));
    cut.abort();
    expect(await working).toMatchObject({ status: 'error', failure: { kind: 'cancelled' }, open: [] });
  });

  it('ends when its budget is used up and counts the usage', async () => {
    addSample(store, { agent: 'a', budget: { tokens: 100 } });
    const dear = { ...calls(['c1', 'write', { path: 'x' }]), input: 120 };
    const spent = await rig([dear, finish('f', 'never')]).work(store);
    expect(spent).toMatchObject({ status: 'error', used: { tokens: 120 }, failure: { kind: 'budget' } });
  });
});
