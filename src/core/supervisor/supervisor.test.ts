import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { seed } from '../../../test/fakes/test-run.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { OpenWork, Priority } from '../puffo/account-store.ts';
import { type ActualAgent, type DesiredAgent, reconcile } from './reconcile.ts';
import { failureLimit, noFailures, restartPolicy } from './restart-policy.ts';
import { createSupervisor } from './supervisor.ts';
import type { LaunchHooks, RunningAgent } from './supervisor-ports.ts';
import { createTurnQueue } from './turn-queue.ts';

const wants = (id: string, change: Partial<DesiredAgent<string>> = {}): DesiredAgent<string> => ({
  id,
  wish: 'run',
  restartKey: 'k',
  config: 'c',
  ...change,
});
const broken = err(textError('unavailable', 'It does not start.'));

describe('reconcile', () => {
  const is = (
    phase: ActualAgent<string>['phase'],
    change: Partial<ActualAgent<string>> = {},
  ): ActualAgent<string> => ({
    id: 'a',
    phase,
    restartKey: 'k',
    config: 'c',
    ...change,
  });
  it.each<[string, DesiredAgent<string> | null, ActualAgent<string> | null, string]>([
    ['new', wants('a'), null, 'start'],
    ['down', wants('a'), is('down'), 'start'],
    ['gone from disk', null, is('running'), 'stop gone'],
    ['paused while running', wants('a', { wish: 'pause' }), is('running'), 'stop paused'],
    ['paused while it waits for a restart', wants('a', { wish: 'pause' }), is('waiting'), 'stop paused'],
    ['paused and down', wants('a', { wish: 'pause' }), is('down'), 'leave'],
    ['no longer filled in', wants('a', { wish: 'idle_unconfigured' }), is('running'), 'stop unconfigured'],
    ['another server', wants('a', { restartKey: 'z' }), is('running'), 'restart'],
    ['another server after giving up', wants('a', { restartKey: 'z' }), is('gave_up'), 'restart'],
    ['gave up', wants('a'), is('gave_up'), 'leave'],
    ['backing off', wants('a'), is('waiting'), 'leave'],
    ['other triggers', wants('a', { config: 'd' }), is('running'), 'update'],
    ['the same', wants('a'), is('starting'), 'leave'],
  ])('decides about an agent that is: %s', (_name, desired, actual, expected) => {
    const [action] = reconcile(desired ? [desired] : [], actual ? [actual] : []);
    const shown = action?.type === 'stop' ? `stop ${action.why}` : action?.type;
    expect(shown).toBe(expected);
  });
});

describe('Restart policy', () => {
  it('F22 doubles the delay with jitter and gives up at the fifth failure in ten minutes', () => {
    let history = noFailures;
    const delays: number[] = [];
    let now = 0;
    for (let n = 1; n < failureLimit; n += 1) {
      const decision = restartPolicy(history, { now, startedAt: now, random: 1 });
      if (decision.type !== 'retry') throw new Error('gave up early');
      delays.push(decision.inMs);
      history = decision.history;
      now += decision.inMs;
    }
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(restartPolicy(history, { now, startedAt: now, random: 1 }).type).toBe('give_up');
  });
  it('F22 slow failures never exceed five minutes between starts', () => {
    let history = noFailures;
    for (let now = 0; now < 40 * 200_000; now += 200_000) {
      const decision = restartPolicy(history, { now, startedAt: now - 100, random: 1 });
      expect(decision.type === 'retry' && decision.inMs <= 300_000).toBe(true);
      history = decision.history;
    }
  });
  it('a long successful run resets the back-off', () => {
    const history = { recent: [], inARow: 9 };
    const decision = restartPolicy(history, { now: 5_000_000, startedAt: 0, random: 1 });
    expect(decision).toMatchObject({ type: 'retry', inMs: 1_000 });
  });
});

type Launch = (agent: DesiredAgent<string>, hooks: LaunchHooks) => Promise<Result<RunningAgent<string>>>;

function rig(launch: Launch) {
  const clock = createVirtualClock();
  const lives: string[] = [];
  const supervisor = createSupervisor<string>({
    launcher: { launch },
    clock,
    random: createSeededRandom(seed),
    log: createRecordingLog(),
    onLife: (id, report) => lives.push(`${id} ${report?.life ?? 'gone'}`),
  });
  return { clock, lives, supervisor };
}

function fleet() {
  const up = new Set<string>();
  const updates: string[] = [];
  const most = new Map<string, number>();
  const launch: Launch = async (agent) => {
    expect(up.has(agent.id)).toBe(false);
    up.add(agent.id);
    most.set(agent.id, (most.get(agent.id) ?? 0) + 1);
    return ok({
      update: (config) => updates.push(`${agent.id} ${config}`),
      stop: async () => {
        await settle(1);
        up.delete(agent.id);
      },
    });
  };
  return { up, updates, launch };
}

describe(`Supervisor, seed ${seed}`, () => {
  it('a slow start of one agent does not delay another', async () => {
    const { up, launch } = fleet();
    const r = rig((agent, hooks) =>
      agent.id === 'slow' ? new Promise(() => undefined) : launch(agent, hooks),
    );
    r.supervisor.apply([wants('slow'), wants('a'), wants('b')]);
    await settle();
    expect([...up]).toEqual(['a', 'b']);
    expect(r.supervisor.lifeOf('slow')?.life).toBe('starting');
    r.supervisor.apply([wants('a'), wants('b')]);
    await settle();
    expect(r.supervisor.lifeOf('slow')).toBeNull();
  });

  it('F22 a crash loop gives up after at most six starts in ten minutes; restart begins anew', async () => {
    let starts = 0;
    const r = rig(async () => {
      starts += 1;
      return broken;
    });
    r.supervisor.apply([wants('a')]);
    await r.clock.advance(600_000);
    expect(starts).toBeLessThanOrEqual(6);
    expect(r.supervisor.lifeOf('a')).toMatchObject({ life: 'gave_up', error: { code: 'unavailable' } });
    r.supervisor.apply([wants('a')]);
    await r.clock.advance(600_000);
    expect(starts).toBe(5);
    expect(r.supervisor.restart('a')).toBe(true);
    await settle();
    expect(starts).toBe(6);
    expect(r.supervisor.lifeOf('a')).toMatchObject({ life: 'backing_off' });
    expect(r.supervisor.restart('nobody')).toBe(false);
  });

  it('F2 an agent that fails while running restarts only after its old process is gone', async () => {
    const { up, launch } = fleet();
    const hooks: LaunchHooks[] = [];
    const r = rig((agent, hook) => {
      hooks.push(hook);
      return launch(agent, hook);
    });
    r.supervisor.apply([wants('a')]);
    await settle();
    hooks[0]?.failed(textError('unavailable', 'gone'));
    hooks[0]?.failed(textError('unavailable', 'gone again'));
    expect(r.supervisor.lifeOf('a')?.life).toBe('backing_off');
    expect(r.supervisor.lifeOf('a')?.restartAt).toBeGreaterThan(r.clock.now());
    await r.clock.advance(2_000);
    expect([...up]).toEqual(['a']);
    expect(hooks).toHaveLength(2);
    expect(r.supervisor.lifeOf('a')?.life).toBe('running');
  });

  it('passes on changes that need no restart, restarts for others, pauses and resumes', async () => {
    const { up, updates, launch } = fleet();
    const r = rig(launch);
    r.supervisor.apply([wants('a')]);
    await settle();
    r.supervisor.apply([wants('a', { config: 'd' })]);
    await settle();
    expect(updates).toEqual(['a d']);
    r.supervisor.apply([wants('a', { config: 'd', restartKey: 'z' })]);
    await settle();
    r.supervisor.apply([wants('a', { config: 'd', restartKey: 'z', wish: 'pause' })]);
    await settle();
    expect([...up]).toEqual([]);
    r.supervisor.apply([wants('a', { config: 'd', restartKey: 'z' })]);
    await settle();
    expect(r.lives).toEqual([
      'a starting',
      'a running',
      'a stopping',
      'a starting',
      'a running',
      'a stopping',
      'a paused',
      'a starting',
      'a running',
    ]);
  });

  it('a launcher that throws counts as a failed start', async () => {
    const r = rig(() => {
      throw new Error('boom');
    });
    r.supervisor.apply([wants('a')]);
    await settle();
    expect(r.supervisor.lifeOf('a')).toMatchObject({ life: 'backing_off', error: { code: 'internal' } });
  });

  it('F25 stopAll takes at most ten seconds, even if an agent hangs', async () => {
    const r = rig(async () => ok({ update: () => undefined, stop: () => new Promise(() => undefined) }));
    r.supervisor.apply([wants('a'), wants('b')]);
    await settle();
    let stopped = false;
    void r.supervisor.stopAll().then(() => {
      stopped = true;
    });
    await r.clock.advance(10_000);
    expect(stopped).toBe(true);
    r.supervisor.apply([wants('c')]);
    expect(r.supervisor.lifeOf('c')).toBeNull();
  });

  it('any order of requests ends in the last requested state, with one process per agent', async () => {
    const wish = fc.constantFrom('run', 'pause', 'gone', 'other') as fc.Arbitrary<string>;
    const plan = fc.array(fc.tuple(wish, wish, fc.nat(3)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const { up, launch } = fleet();
        const r = rig(launch);
        const apply = (a: string, b: string): void => {
          const desired = [a, b].flatMap((word, index) => {
            const id = index === 0 ? 'a' : 'b';
            if (word === 'gone') return [];
            return [wants(id, { wish: word === 'pause' ? 'pause' : 'run', restartKey: word })];
          });
          r.supervisor.apply(desired);
        };
        for (const [a, b, wait] of steps) {
          apply(a, b);
          if (wait > 0) await settle(wait);
        }
        await settle(12);
        const [a, b] = steps.at(-1) ?? ['gone', 'gone'];
        const expected = [
          ...(['run', 'other'].includes(a) ? ['a'] : []),
          ...(['run', 'other'].includes(b) ? ['b'] : []),
        ];
        expect([...up].sort()).toEqual(expected);
        await r.supervisor.stopAll();
        expect([...up]).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe(`Turn queue, seed ${seed}`, () => {
  const work = (id: string, rootId: string, priority: Priority, sentAt: number): OpenWork => ({
    message: sampleMessage({ envelopeId: id, sentAt }),
    priority,
    rootId,
  });

  it('returns the most urgent thread first, and an urgent message raises its thread', () => {
    const queue = createTurnQueue();
    queue.add(work('m1', 'r1', 3, 1));
    queue.add(work('m2', 'r2', 3, 2));
    queue.add(work('m3', 'r2', 1, 3));
    expect(queue.take()?.work.map((one) => one.message.envelopeId)).toEqual(['m2', 'm3']);
    expect(queue.take()?.rootId).toBe('r1');
    expect(queue.take()).toBeNull();
  });

  it('keeps rooms apart, even if two messages claim the same root', () => {
    const queue = createTurnQueue();
    const elsewhere = work('m2', 'r1', 3, 2);
    queue.add(work('m1', 'r1', 3, 1));
    queue.add({ ...elsewhere, message: { ...elsewhere.message, roomId: 'dm:eve-1' } });
    expect([queue.take(), queue.take()].map((batch) => [batch?.roomId, batch?.work.length])).toEqual([
      ['ch_1', 1],
      ['dm:eve-1', 1],
    ]);
  });

  it('I2 returns every message exactly once, in any order of arrival', () => {
    const arrival = fc.record({
      id: fc.integer({ min: 0, max: 30 }),
      root: fc.integer({ min: 0, max: 4 }),
      priority: fc.constantFrom<Priority>(1, 2, 3, 4, 5),
      takeAfter: fc.boolean(),
      endAfter: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 80 }), (arrivals) => {
        const queue = createTurnQueue();
        const added = new Set<string>();
        const handed: string[] = [];
        const open: string[] = [];
        const end = (): void => {
          const threadKey = open.shift();
          if (threadKey !== undefined) queue.settle(threadKey, []);
        };
        const take = (): void => {
          const next = queue.peek();
          const batch = queue.take();
          expect(batch?.rootId).toBe(next?.rootId);
          handed.push(...(batch?.work ?? []).map((one) => one.message.envelopeId));
          // Never two batches of one conversation in parallel.
          if (batch) expect(open).not.toContain(batch.threadKey);
          if (batch) open.push(batch.threadKey);
        };
        for (const { id, root, priority, takeAfter, endAfter } of arrivals) {
          const fresh = queue.add(work(`m${id}`, `r${root}`, priority, id));
          expect(fresh).toBe(!added.has(`m${id}`));
          added.add(`m${id}`);
          if (takeAfter) take();
          if (endAfter) end();
        }
        while (queue.size() > 0) {
          if (queue.peek()) take();
          else end();
        }
        expect(queue.size()).toBe(0);
        expect(handed.toSorted()).toEqual([...added].toSorted());
      }),
      { numRuns: 300 },
    );
  });
});
