import { describe, expect, it } from 'vitest';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { createWorkerRig } from '../../../test/fakes/worker-rig.ts';
import { textError } from '../../contract/errors.ts';
import { englishText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { StoreError } from '../lib/store-error.ts';
import { transcriptText } from '../models/messages.ts';
import type { Priority } from '../puffo/account-store.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import type { RuntimeEvent, RuntimePort, TurnInput } from './runtime-port.ts';
import type { TurnEnd, WorkerEvents } from './worker-ports.ts';

interface Scripted {
  readonly runtime: RuntimePort;
  readonly turns: TurnInput[];
}

function answering(reply: (turn: TurnInput, signal: AbortSignal) => AsyncIterable<RuntimeEvent>): Scripted {
  const turns: TurnInput[] = [];
  return {
    turns,
    runtime: {
      run: (turn, signal) => {
        turns.push(turn);
        return reply(turn, signal);
      },
    },
  };
}

async function* says(text: string): AsyncGenerator<RuntimeEvent> {
  yield { type: 'text_delta', text };
  yield { type: 'turn_done', parts: [text], messageSent: false, transcript: [] };
}

function rig(runtime: RuntimePort, change: Parameters<typeof createWorkerRig>[1] = {}) {
  const told: string[] = [];
  const ends: TurnEnd[] = [];
  let deltas = '';
  const events: Partial<WorkerEvents> = {
    onQueued: (messages) => told.push(`queued ${messages.map((m) => m.envelopeId).join(',')}`),
    onTurnStarted: (turn) => told.push(`started ${turn.envelopeIds.join(',')}`),
    onTurnTook: (_turn, ids) => told.push(`took ${ids.join(',')}`),
    onStep: (_turn, step) => told.push(`step ${step.callId} ${step.state}`),
    onDelta: (_turn, text) => {
      deltas += text;
    },
    onDraftReset: () => {
      deltas = '';
    },
    onRetrying: (_turn, retry) => told.push(`retrying ${retry.error.code}`),
    onTurnEnded: (_turn, end) => {
      told.push(`ended ${end.status}`);
      ends.push(end);
    },
    onActivity: (_turn, text) => told.push(`activity ${englishText(text)}`),
  };
  const { store, worker, ...rest } = createWorkerRig(runtime, { ...change, events });
  const deliver = (...messages: readonly (StoredMessage & { readonly urgency?: Priority })[]): void => {
    const rows = messages.map(({ urgency, ...message }) => ({
      message,
      decision: { react: true, reason: 'mention', priority: urgency ?? (message.kind === 'dm' ? 1 : 3) },
    }));
    worker.accepted(store.accept(rows));
  };
  /** Last user message that the model reads. */
  const said = (threadKey: string): string => {
    const last = store.transcripts
      .load(threadKey)
      .findLast(({ message }) => message.role === 'user')?.message;
    return last ? transcriptText(last) : '';
  };
  return { ...rest, store, told, ends, worker, deliver, said, deltas: () => deltas };
}

describe('Worker', () => {
  it('answers a direct message at once, queues the reply and reports to the account', async () => {
    const { runtime, turns } = answering(() => says('Hello Alice'));
    const r = rig(runtime);
    r.deliver(sampleDm({ envelopeId: 'msg_1', content: 'hi' }));
    await settle();
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({ threadKey: 'dm|alice-a62c', firstSeq: 1, tainted: false });
    expect(r.said('dm|alice-a62c')).toContain('- sender: Alice\n- sender_slug: alice-a62c');
    expect(turns[0]?.system).toContain('# Your role\n\n# Soul\n\nKind.');
    expect(turns[0]?.system).toContain('- slug: @helper-9a7c');
    const [row] = r.store.openOutbox();
    expect(row).toMatchObject({
      kind: 'dm',
      recipientSlug: 'alice-a62c',
      content: 'Hello Alice',
      threadRootId: 'msg_1',
      visible: false,
      state: 'queued',
    });
    expect(r.store.decision('msg_1')?.status).toBe('done');
    expect(r.account.kicks).toBe(1);
    expect(r.account.statuses.map((s) => s.status)).toEqual(['busy', 'idle']);
    expect(r.account.ended[0]).toEqual([
      { runId: r.account.started[0]?.runId, messageId: 'msg_1', succeeded: true },
    ]);
    expect(r.told).toEqual(['queued msg_1', 'started msg_1', 'activity answering @alice-a62c', 'ended done']);
    expect(r.deltas()).toBe('Hello Alice');
    expect(r.store.openTurns()).toEqual([]);
  });

  it('delays its answer in a room, and a direct message goes first', async () => {
    const { runtime, turns } = answering(() => says('ok'));
    const r = rig(runtime, { random: { ...createSeededRandom(1), fraction: () => 0.9 } });
    r.deliver(sampleMessage({ envelopeId: 'msg_room' }));
    await r.clock.advance(1_000);
    expect(turns).toHaveLength(0);
    r.deliver(sampleDm({ envelopeId: 'msg_dm' }));
    await settle();
    expect(turns).toHaveLength(1);
    expect(r.store.decision('msg_dm')?.status).toBe('done');
    await r.clock.advance(2_000);
    expect(r.store.decision('msg_room')?.status).toBe('done');
  });

  it('batches a thread in order, with one batch at a time', async () => {
    let running = 0;
    let most = 0;
    const { runtime, turns } = answering(async function* () {
      running += 1;
      most = Math.max(most, running);
      await settle(2);
      running -= 1;
      yield* says('ok');
    });
    const r = rig(runtime);
    r.deliver(
      sampleMessage({ envelopeId: 'msg_a' }),
      sampleMessage({ envelopeId: 'msg_c', threadRootId: 'msg_a', content: 'third' }),
      sampleMessage({ envelopeId: 'msg_b', threadRootId: 'msg_a', content: 'second' }),
      sampleMessage({ envelopeId: 'msg_x' }),
    );
    await r.clock.advance(10_000);
    expect(turns).toHaveLength(2);
    const text = r.said('ch|ch_1|msg_a');
    expect(text.indexOf('second')).toBeGreaterThan(0);
    expect(text.indexOf('second')).toBeLessThan(text.indexOf('third'));
    expect(most).toBe(1);
    expect(r.store.openWork()).toEqual([]);
  });

  it('never mixes rooms, whatever root a message claims', async () => {
    const { runtime, turns } = answering(() => says('secret'));
    const r = rig(runtime);
    r.deliver(
      sampleMessage({ envelopeId: 'msg_room', urgency: 1 } as never),
      sampleDm({ envelopeId: 'msg_dm', threadRootId: 'msg_room' }),
    );
    await r.clock.advance(5_000);
    expect(turns).toHaveLength(2);
    const replies = r.store.openOutbox();
    expect(replies.map((row) => [row.kind, row.threadRootId]).sort()).toEqual([
      ['channel', 'msg_room'],
      ['dm', 'msg_dm'],
    ]);
  });

  it('answers a redelivered message once, even during its turn', async () => {
    const { runtime, turns } = answering(() => says('once'));
    const r = rig(runtime);
    const message = sampleDm({ envelopeId: 'msg_1' });
    r.deliver(message);
    r.worker.accepted([message]);
    await settle();
    r.worker.accepted([message]);
    r.worker.recover();
    await r.clock.advance(5_000);
    expect(turns).toHaveLength(1);
    expect(r.store.openOutbox()).toHaveLength(1);
  });

  it('answers a message that arrives just as the queue becomes empty', async () => {
    for (let ticks = 0; ticks < 30; ticks += 1) {
      const { runtime, turns } = answering(() => says('ok'));
      const r = rig(runtime);
      r.deliver(sampleDm({ envelopeId: 'msg_1' }));
      while (r.ends.length === 0) await Promise.resolve();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      r.deliver(sampleDm({ envelopeId: 'msg_2' }));
      await settle();
      expect(turns).toHaveLength(2);
    }
  });

  it('I2 rechecks the store before it answers and skips closed messages', async () => {
    const { runtime, turns } = answering(() => says('ok'));
    const r = rig(runtime);
    r.deliver(sampleMessage({ envelopeId: 'msg_1' }));
    const closed = { turnId: 't', threadKey: 'k', status: 'done', detail: '', at: 0 } as const;
    r.store.completeTurn({ ...closed, envelopeIds: ['msg_1'], replies: [], transcript: [], steps: [] });
    await r.clock.advance(5_000);
    expect(turns).toHaveLength(0);
    expect(r.worker.waiting()).toBe(0);
  });

  it('F1 resumes open work after a restart', async () => {
    const { runtime } = answering(() => says('late but here'));
    const r = rig(runtime);
    r.store.accept([
      { message: sampleDm({ envelopeId: 'msg_1' }), decision: { react: true, reason: 'dm', priority: 1 } },
      { message: sampleDm({ envelopeId: 'msg_2' }), decision: { react: false, reason: 'own', priority: 1 } },
    ]);
    r.worker.recover();
    await r.clock.advance(3_000);
    expect(r.store.openOutbox()).toHaveLength(1);
    expect(r.store.decision('msg_2')?.status).toBeNull();
  });

  it('F25 stop aborts a turn that never ends, and its message stays open', async () => {
    const { runtime } = answering(async function* () {
      yield { type: 'text_delta', text: 'never ' } as const;
      await new Promise(() => undefined);
    });
    const r = rig(runtime);
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    expect(r.worker.busy()).toBe(true);
    await r.worker.stop();
    expect(r.store.decision('msg_1')?.status).toBe('open');
    expect(r.ends).toEqual([{ status: 'interrupted' }]);
    expect(r.account.ended[0]?.[0]).toMatchObject({ succeeded: false });
  });

  it('closes a failed turn as failed, keeps its partial text and shows an error status', async () => {
    const { runtime } = answering(async function* () {
      yield {
        type: 'turn_failed',
        error: textError('model_error', 'It broke.'),
        partialText: 'half a',
        transcript: [],
      } as const;
    });
    const r = rig(runtime);
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    expect(r.store.decision('msg_1')).toMatchObject({ status: 'failed' });
    expect(r.store.decision('msg_1')?.detail).toMatchObject({
      key: 'turns.failedWithPartial',
      values: { partial: 'half a' },
    });
    // The server cannot read messages, and an error text may quote them (T18).
    const errorText = 'model_error: The model refused the request. Its operator sees more.';
    expect(r.account.statuses.at(-1)).toEqual({ status: 'error', errorText });
    expect(JSON.stringify([r.account.statuses, r.account.ended])).not.toContain('It broke');
    expect(r.store.openOutbox()).toEqual([]);
  });

  it('fails only the turn whose runtime throws or ends without a result', async () => {
    let call = 0;
    const { runtime } = answering(async function* () {
      call += 1;
      if (call === 1) throw new Error('boom');
      if (call === 2) return;
      yield* says('fine');
    });
    const r = rig(runtime);
    for (const n of [1, 2, 3]) {
      r.deliver(sampleDm({ envelopeId: `msg_${n}` }));
      await settle();
    }
    expect([1, 2, 3].map((n) => r.store.decision(`msg_${n}`)?.status)).toEqual(['failed', 'failed', 'done']);
  });

  it('posts nothing for [SILENT] and records the reason', async () => {
    const { runtime } = answering(() => says('[SILENT]'));
    const r = rig(runtime);
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    expect(r.store.decision('msg_1')).toMatchObject({
      status: 'silent',
      detail: say('turns.choseSilence'),
    });
    expect(r.store.openOutbox()).toEqual([]);
  });

  it('retries an API error reported as text three times, then fails', async () => {
    const { runtime, turns } = answering(() => says('API Error: 529'));
    const r = rig(runtime, { context: { plainModel: false } });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await r.clock.advance(14_000);
    expect(turns).toHaveLength(1);
    await r.clock.advance(200_000);
    expect(turns).toHaveLength(4);
    expect(r.store.decision('msg_1')?.status).toBe('failed');
  });

  it('F4 waits while the disk is full and saves the answer without another model request', async () => {
    const { runtime, turns } = answering(() => says('kept'));
    const r = rig(runtime);
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    const complete = r.store.completeTurn;
    r.store.completeTurn = () => {
      r.store.completeTurn = complete;
      throw new StoreError('disk_full', 'The disk is full.');
    };
    await settle();
    expect(r.told).toContain('retrying disk_full');
    expect(r.store.decision('msg_1')?.status).toBe('open');
    await r.clock.advance(5_000);
    expect(r.store.decision('msg_1')?.status).toBe('done');
    expect(turns).toHaveLength(1);
  });

  it('F5 retries after a delay if the store fails while it reads work', async () => {
    const { runtime } = answering(() => says('ok'));
    const r = rig(runtime);
    const message = sampleDm({ envelopeId: 'msg_1' });
    r.store.accept([{ message, decision: { react: true, reason: 'dm', priority: 1 } }]);
    const decision = r.store.decision;
    r.store.decision = () => {
      r.store.decision = decision;
      throw new StoreError('io_error', 'The disk failed.');
    };
    r.worker.accepted([message]);
    await r.clock.advance(5_000);
    expect(r.store.decision('msg_1')?.status).toBe('done');
  });

  it('does not wait forever for the name of a sender', async () => {
    const { runtime, turns } = answering(() => says('ok'));
    const r = rig(runtime, {
      account: { person: () => new Promise(() => undefined) },
    });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await r.clock.advance(6_000);
    expect(turns).toHaveLength(1);
    expect(r.said('dm|alice-a62c')).toContain('- sender: alice-a62c');
  });
});
