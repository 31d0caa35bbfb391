import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { createWorkerRig, workerSlug } from '../../../test/fakes/worker-rig.ts';
import { StoreError } from '../lib/store-error.ts';
import { transcriptText } from '../models/messages.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import type { RuntimeEvent, RuntimePort, TurnInput } from './runtime-port.ts';
import { upToEachStop } from './stop-order.ts';
import type { TurnEnd } from './worker-ports.ts';

const done = (text: string): RuntimeEvent => ({
  type: 'turn_done',
  parts: [text],
  messageSent: false,
  transcript: [],
});
type Reply = (turn: TurnInput, signal: AbortSignal) => AsyncIterable<RuntimeEvent>;

function rig(
  reply: Reply,
  { store = createMemoryAccountStore(workerSlug), onArrival = 'steer' as 'steer' | 'follow_up' } = {},
) {
  const turns: TurnInput[] = [];
  const ends: TurnEnd[] = [];
  const run: RuntimePort['run'] = (turn, signal) => {
    turns.push(turn);
    return reply(turn, signal);
  };
  const events = { onTurnEnded: (_turn: unknown, end: TurnEnd) => ends.push(end) };
  const { clock, worker } = createWorkerRig({ run }, { store, events, context: { onArrival } });
  const deliver = (...messages: readonly StoredMessage[]): void => {
    const decision = { react: true, reason: 'dm', priority: 1 } as const;
    worker.accepted(store.accept(messages.map((message) => ({ message, decision }))));
  };
  const replies = () => store.openOutbox().map(({ threadRootId, content }) => [threadRootId, content]);
  const statuses = (...ids: string[]) => ids.map((id) => store.decision(id)?.status);
  return { clock, store, worker, deliver, turns, ends, replies, statuses };
}

const forever = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('Steering', () => {
  it('adds a message of the thread to the running turn, which answers both once', async () => {
    let go = (): void => undefined;
    const heard: string[] = [];
    const r = rig(async function* (turn) {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      const more = await turn.arrivals.take();
      heard.push(more ? transcriptText(more.message) : '-');
      heard.push(String((await turn.arrivals.take()) === null));
      yield done('both');
    });
    r.deliver(sampleMessage({ envelopeId: 'msg_1' }));
    await settle();
    r.deliver(
      sampleMessage({ envelopeId: 'msg_2', threadRootId: 'msg_1', content: 'and this' }),
      sampleMessage({ envelopeId: 'msg_other', content: 'elsewhere' }),
    );
    expect(r.store.openTurn('ch|ch_1|msg_1')?.envelopeIds).toEqual(['msg_1']);
    go();
    await settle();
    expect(heard[0]).toContain('- message: and this');
    expect(heard[0]).not.toContain('elsewhere');
    expect(heard[1]).toBe('true');
    expect(r.replies()).toEqual([['msg_1', 'both']]);
    expect(r.statuses('msg_1', 'msg_2')).toEqual(['done', 'done']);
    expect(r.turns).toHaveLength(2);
  });

  it('leaves the message for the next turn if the agent is set to follow up', async () => {
    let go = (): void => undefined;
    const r = rig(
      async function* (turn) {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        yield done(String(await turn.arrivals.take()));
      },
      { onArrival: 'follow_up' },
    );
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    r.deliver(sampleDm({ envelopeId: 'msg_2' }));
    for (const _ of [1, 2]) {
      go();
      await settle();
    }
    expect(r.replies()).toEqual([
      ['msg_1', 'null'],
      ['msg_2', 'null'],
    ]);
  });

  it('T9 taints the turn unless the sender is the operator', async () => {
    const tainted: unknown[] = [];
    let go = (): void => undefined;
    const r = rig(async function* (turn) {
      tainted.push(turn.tainted);
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      tainted.push((await turn.arrivals.take())?.tainted);
      yield done('ok');
    });
    r.deliver(sampleMessage({ envelopeId: 'msg_1' }));
    await settle();
    r.deliver(sampleMessage({ envelopeId: 'msg_2', threadRootId: 'msg_1', senderSlug: 'mallory-0001' }));
    go();
    await settle();
    expect(tainted).toEqual([false, true]);
  });

  it('F4 defers a message that cannot be recorded, and the turn takes it later', async () => {
    let fail = true;
    const r = rig(async function* (turn) {
      await settle(2);
      if (fail) {
        fail = false;
        r.store.failNext(new StoreError('disk_full', 'full'));
      }
      await turn.arrivals.take();
      yield done('ok');
    });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    r.deliver(sampleDm({ envelopeId: 'msg_2', threadRootId: 'msg_1' }));
    await r.clock.advance(10_000);
    expect(r.statuses('msg_1', 'msg_2')).toEqual(['done', 'done']);
    expect(new Set(r.turns.map(({ turnId }) => turnId)).size).toBeLessThanOrEqual(2);
  });
});

describe('Message that arrives during an interrupt', () => {
  it('F1 is not taken after the interrupt, and is answered after the restart', async () => {
    const store = createMemoryAccountStore(workerSlug);
    let take = async (): Promise<unknown> => undefined;
    const before = rig(
      async function* (turn, signal) {
        take = () => turn.arrivals.take();
        yield { type: 'text_delta', text: 'half' };
        await forever(signal);
      },
      { store },
    );
    before.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    before.deliver(sampleDm({ envelopeId: 'msg_2', threadRootId: 'msg_1' }));
    const late = take();
    await before.worker.stop();
    expect(await late).toBeNull();
    expect(store.openTurns()).toMatchObject([{ envelopeIds: ['msg_1'] }]);
    const after = rig(
      async function* () {
        yield done('answer');
      },
      { store },
    );
    after.worker.recover();
    await after.clock.advance(3_000);
    expect(after.statuses('msg_1', 'msg_2')).toEqual(['done', 'done']);
    expect(after.replies()).toHaveLength(2);
  });
});

describe('Stop', () => {
  it('ends the turn without a reply and closes its waiting messages; later messages are answered', async () => {
    const r = rig(async function* (turn, signal) {
      if (r.turns.length > 1) {
        yield done('next');
        return;
      }
      yield { type: 'text_delta', text: `begun ${turn.turnId}` };
      await forever(signal);
      expect(signal.reason).toBe('stopped');
      const error = { code: 'cancelled', message: 'stopped' } as const;
      yield { type: 'turn_failed', error, partialText: 'begun', transcript: [] };
    });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    r.deliver(sampleDm({ envelopeId: 'msg_2' }));
    expect(r.worker.stopTurn('ch|ch_1|other')).toBe(false);
    expect(r.worker.stopTurn(null)).toBe(true);
    r.deliver(sampleDm({ envelopeId: 'msg_3' }));
    await settle();
    expect(r.statuses('msg_1', 'msg_2', 'msg_3')).toEqual(['silent', 'silent', 'done']);
    expect(r.store.decision('msg_1')?.detail).toMatchObject({ key: 'turns.stoppedByYou' });
    expect(r.replies()).toEqual([['msg_3', 'next']]);
    expect(r.ends.map(({ status }) => status)).toEqual(['silent', 'done']);
    expect(r.worker.stopTurn(null)).toBe(false);
  });

  it('closes messages received before it and keeps later ones, even in one batch', async () => {
    const r = rig(async function* (_turn, signal) {
      if (r.turns.length > 1) yield done('next');
      else await forever(signal);
    });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    const together = ['msg_2', 'stop', 'msg_3'].map((envelopeId) => sampleDm({ envelopeId }));
    for (const piece of upToEachStop(together, ({ envelopeId }) => envelopeId === 'stop')) {
      r.deliver(...piece.filter(({ envelopeId }) => envelopeId !== 'stop'));
      if (piece.at(-1)?.envelopeId === 'stop') r.worker.stopTurn(null);
    }
    await r.clock.advance(11_000);
    expect(r.statuses('msg_1', 'msg_2', 'msg_3')).toEqual(['silent', 'silent', 'done']);
  });

  it('takes effect before the runtime has begun', async () => {
    const r = rig(async function* (_turn, signal) {
      await settle(2);
      const error = { code: 'cancelled', message: 'stopped' } as const;
      yield signal.aborted ? { type: 'turn_failed', error, partialText: '', transcript: [] } : done('acted');
    });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    expect(r.worker.stopTurn(null)).toBe(true);
    await settle();
    expect(r.replies()).toEqual([]);
    expect(r.statuses('msg_1')).toEqual(['silent']);
  });

  it('takes effect if the answer arrives at the same moment', async () => {
    const r = rig(async function* (_turn, signal) {
      await forever(signal);
      yield done('too late');
    });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    r.worker.stopTurn(null);
    await settle();
    expect(r.replies()).toEqual([]);
    expect(r.statuses('msg_1')).toEqual(['silent']);
  });

  it('abandons a runtime that ignores it after a grace period', async () => {
    const r = rig(async function* () {
      yield { type: 'text_delta', text: 'x' };
      await new Promise(() => undefined);
    });
    r.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    r.worker.stopTurn(null);
    await r.clock.advance(11_000);
    expect(r.statuses('msg_1')).toEqual(['silent']);
  });
});

describe('Turn interrupted by a restart', () => {
  it('F1 ends if the operator sent stop before the host was killed', async () => {
    const store = createMemoryAccountStore(workerSlug);
    const before = rig(
      async function* (_turn, signal) {
        yield { type: 'text_delta', text: 'half' };
        await forever(signal);
      },
      { store },
    );
    before.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    await before.worker.stop();
    const stop = sampleDm({ envelopeId: 'msg_s', content: 'stop', receivedAt: before.clock.now() + 1 });
    store.accept([{ message: stop, decision: { react: false, reason: 'stop', priority: 5 } }]);
    const after = rig(
      async function* () {
        yield done('went on');
      },
      { store },
    );
    after.worker.recover();
    await after.clock.advance(3_000);
    expect(after.turns).toEqual([]);
    expect(store.decision('msg_1')).toMatchObject({ status: 'silent' });
    expect(store.openTurns()).toEqual([]);
  });

  it('F1 resumes first, under its own id, without repeating its messages in the transcript', async () => {
    const store = createMemoryAccountStore(workerSlug);
    const before = rig(
      async function* (_turn, signal) {
        yield { type: 'text_delta', text: 'half' };
        await forever(signal);
      },
      { store },
    );
    before.deliver(sampleDm({ envelopeId: 'msg_1' }));
    await settle();
    before.deliver(sampleDm({ envelopeId: 'msg_2', sentAt: 1 }));
    await before.worker.stop();
    expect(before.ends).toEqual([{ status: 'interrupted' }]);
    const after = rig(
      async function* (turn) {
        yield done(turn.turnId === before.turns[0]?.turnId ? 'went on' : 'fresh');
      },
      { store },
    );
    after.worker.recover();
    await after.clock.advance(3_000);
    expect(after.replies()).toEqual([
      ['msg_1', 'went on'],
      ['msg_2', 'fresh'],
    ]);
    const told = store.transcripts.load('dm|alice-a62c').filter(({ message }) => message.role === 'user');
    expect(told).toHaveLength(2);
  });
});
