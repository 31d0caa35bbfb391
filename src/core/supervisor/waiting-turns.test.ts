import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createWorkerRig, workerSlug } from '../../../test/fakes/worker-rig.ts';
import { StoreError } from '../lib/store-error.ts';
import { transcriptText } from '../models/messages.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import type { RuntimePort } from './runtime-port.ts';
import type { WorkerEvents } from './worker-ports.ts';

const dm = 'dm|alice-a62c';
const room = (id: string): string => `ch|ch_1|${id}`;

/**
 * Turns with "ask" in their message wait for `answer(threadKey)`; those with "think" run until
 * `go(threadKey)`; the others end at once.
 */
function rig({ store = createMemoryAccountStore(workerSlug) } = {}) {
  const trail: string[] = [];
  const ends: string[] = [];
  const thinking = new Set<string>();
  const waits = new Map<string, () => void>();
  const until = (name: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waits.set(name, resolve);
      signal.addEventListener('abort', () => signal.reason === 'stopped' && resolve(), { once: true });
    });
  const think = (key: string): void => {
    thinking.add(key);
    trail.push(`think ${key}`);
    expect([...thinking]).toEqual([key]);
  };
  const runtime: RuntimePort = {
    async *run(turn, signal) {
      const key = turn.threadKey;
      const last = store.transcripts.load(key).findLast(({ message }) => message.role === 'user')?.message;
      const said = last ? transcriptText(last) : '';
      think(key);
      if (said.includes('ask')) {
        thinking.delete(key);
        trail.push(`ask ${key}`);
        await turn.place.lend(until(`answer ${key}`, signal));
        if (!signal.aborted) think(key);
      }
      if (said.includes('think')) await until(`go ${key}`, signal);
      const more = signal.aborted ? null : await turn.arrivals.take();
      thinking.delete(key);
      const error = { code: 'cancelled', message: 'stopped' } as const;
      if (signal.aborted) yield { type: 'turn_failed', error, partialText: '', transcript: [] };
      const parts = [more ? `with ${transcriptText(more.message).split('message: ').at(-1)}` : 'done'];
      yield { type: 'turn_done', parts, messageSent: false, transcript: [] };
    },
  };
  const events: Partial<WorkerEvents> = {
    onTurnEnded: ({ threadKey }, { status }) => ends.push(`${threadKey} ${status}`),
  };
  const { clock, account, worker } = createWorkerRig(runtime, { store, events });
  const tell = async (name: string): Promise<void> => {
    waits.get(name)?.();
    await clock.advance(1);
  };
  return {
    clock,
    store,
    account,
    worker,
    trail,
    ends,
    async deliver(...messages: readonly StoredMessage[]) {
      const decision = { react: true, reason: 'dm', priority: 3 } as const;
      worker.accepted(store.accept(messages.map((message) => ({ message, decision }))));
      await clock.advance(3_000);
    },
    answer: (key: string) => tell(`answer ${key}`),
    go: (key: string) => tell(`go ${key}`),
    statuses: () => account.statuses.map((one) => (one.status === 'busy' ? one.messageId : one.status)),
    replies: () => store.openOutbox().map(({ threadRootId, content }) => `${threadRootId} ${content}`),
    states: (...ids: string[]) => ids.map((id) => store.decision(id)?.status),
  };
}

const ask = (envelopeId: string) => sampleDm({ envelopeId, content: 'ask' });
const inRoom = (envelopeId: string, content: string, change: Partial<StoredMessage> = {}) =>
  sampleMessage({ envelopeId, content, ...change });

describe('Turn that waits for the operator', () => {
  it('lets another thread run, and continues when it is answered', async () => {
    const r = rig();
    await r.deliver(ask('m1'));
    await r.deliver(inRoom('m2', 'hello'));
    expect(r.ends).toEqual([`${room('m2')} done`]);
    expect(r.worker.busy()).toBe(true);
    await r.answer(dm);
    expect(r.ends).toEqual([`${room('m2')} done`, `${dm} done`]);
    expect(r.replies()).toEqual(['m2 done', 'm1 done']);
    expect(r.statuses()).toEqual(['m1', 'm2', 'm1', 'm1', 'idle']);
    expect(r.worker.busy()).toBe(false);
  });

  it('waits for its slot while another turn runs: never two at a time', async () => {
    const r = rig();
    await r.deliver(ask('m1'));
    await r.deliver(inRoom('m2', 'think'), inRoom('m3', 'hello'));
    await r.answer(dm);
    expect(r.trail).toEqual([`think ${dm}`, `ask ${dm}`, `think ${room('m2')}`]);
    await r.go(room('m2'));
    await r.clock.advance(3_000);
    // Started turns go before new ones.
    expect(r.trail.slice(3)).toEqual([`think ${dm}`, `think ${room('m3')}`]);
    expect(r.states('m1', 'm2', 'm3')).toEqual(['done', 'done', 'done']);
  });

  it('takes new messages of its thread when it continues: never two turns of one thread', async () => {
    const r = rig();
    await r.deliver(ask('m1'));
    await r.deliver(sampleDm({ envelopeId: 'm2', content: 'and this' }));
    expect(r.trail).toEqual([`think ${dm}`, `ask ${dm}`]);
    expect(r.worker.waiting()).toBe(1);
    await r.answer(dm);
    expect(r.replies()).toEqual(['m2 with and this']);
    expect(r.states('m1', 'm2')).toEqual(['done', 'done']);
  });

  it('waits for days if the approval does', async () => {
    const r = rig();
    await r.deliver(ask('m1'));
    await r.clock.advance(80 * 3_600_000);
    expect(r.states('m1')).toEqual(['open']);
    await r.answer(dm);
    expect(r.replies()).toEqual(['m1 done']);
  });

  it('is limited to sixteen at a time; the next message waits for one of them', async () => {
    const r = rig();
    for (let n = 1; n <= 17; n += 1) await r.deliver(inRoom(`m${n}`, 'ask'));
    expect(r.trail.filter((one) => one.startsWith('ask'))).toHaveLength(16);
    expect(r.worker.waiting()).toBe(1);
    await r.answer(room('m9'));
    await r.clock.advance(3_000);
    expect(r.states('m9', 'm17')).toEqual(['done', 'open']);
    expect(r.trail.at(-1)).toBe(`ask ${room('m17')}`);
    for (let n = 1; n <= 17; n += 1) await r.answer(room(`m${n}`));
    expect(r.replies()).toHaveLength(17);
    expect(r.statuses().at(-1)).toBe('idle');
  });
});

describe('Several open turns', () => {
  it('stop with a thread ends only the turn of that thread', async () => {
    const r = rig();
    await r.deliver(ask('m1'));
    await r.deliver(inRoom('m2', 'think'));
    expect([dm, room('m2'), room('m3')].map((key) => r.worker.working(key))).toEqual([true, true, false]);
    expect(r.worker.stopTurn(room('m3'))).toBe(false);
    expect(r.worker.stopTurn(dm)).toBe(true);
    await r.clock.advance(1);
    expect(r.ends).toEqual([`${dm} silent`]);
    expect(r.worker.working(dm)).toBe(false);
    expect(r.statuses().at(-1)).toBe('m2');
    await r.go(room('m2'));
    expect(r.replies()).toEqual(['m2 done']);
  });

  it('stop without a thread ends all turns, and later messages are answered', async () => {
    const r = rig();
    await r.deliver(ask('m1'));
    await r.deliver(inRoom('m2', 'ask'));
    await r.deliver(inRoom('m3', 'think'));
    expect(r.worker.stopTurn(null)).toBe(true);
    await r.clock.advance(1);
    expect(r.states('m1', 'm2', 'm3')).toEqual(['silent', 'silent', 'silent']);
    await r.deliver(sampleDm({ envelopeId: 'm4', content: 'hello' }));
    expect(r.replies()).toEqual(['m4 done']);
    expect(r.worker.stopTurn(null)).toBe(false);
  });

  it('F1 all turns resume under their own id after the host was stopped or killed', async () => {
    const store = createMemoryAccountStore(workerSlug);
    const first = rig({ store });
    await first.deliver(ask('m1'));
    await first.deliver(inRoom('m2', 'ask'));
    await first.deliver(inRoom('m3', 'think'));
    const begun = store.openTurns().map(({ turnId }) => turnId);
    await first.worker.stop();
    expect(first.ends.toSorted()).toEqual([
      `${room('m2')} interrupted`,
      `${room('m3')} interrupted`,
      `${dm} interrupted`,
    ]);
    const second = rig({ store });
    second.worker.recover();
    await second.clock.advance(5_000);
    expect(store.openTurns().map(({ turnId }) => turnId)).toEqual(begun);
    expect(second.trail.filter((one) => one.startsWith('ask')).toSorted()).toEqual([
      `ask ${room('m2')}`,
      `ask ${dm}`,
    ]);
    await second.go(room('m3'));
    await second.answer(dm);
    await second.answer(room('m2'));
    expect(second.states('m1', 'm2', 'm3')).toEqual(['done', 'done', 'done']);
    expect(second.replies()).toHaveLength(3);
  });

  it('F5 a store failure in one turn leaves the others running, and nothing starts twice', async () => {
    const r = rig();
    await r.deliver(ask('m1'));
    // The stop is stored and about to be handled: the running turn closes itself.
    const stop = sampleDm({ envelopeId: 'm0', content: 'stop', receivedAt: r.clock.now() });
    r.store.accept([{ message: stop, decision: { react: false, reason: 'stop', priority: 5 } }]);
    const take = r.store.takeIntoTurn;
    r.store.takeIntoTurn = () => {
      r.store.takeIntoTurn = take;
      throw new StoreError('io_error', 'The disk failed.');
    };
    await r.deliver(inRoom('m2', 'hello'));
    await r.clock.advance(5_000);
    expect(r.states('m1', 'm2')).toEqual(['open', 'done']);
    await r.answer(dm);
    expect(r.trail.filter((one) => one === `ask ${dm}`)).toHaveLength(1);
    expect(r.replies()).toEqual(['m2 done', 'm1 done']);
  });
});
