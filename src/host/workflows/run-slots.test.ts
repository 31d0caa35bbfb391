import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type {
  SlotGrant,
  StepCall,
  StepOutcome,
  StepRunner,
  StepRunners,
} from '../../core/workflows/engine/engine-ports.ts';
import { createRunSlots } from './run-slots.ts';

const done: StepOutcome = { type: 'done', stdout: '' };

/** Runners whose steps end when the test says so. */
function world() {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const runner: StepRunner = {
    run: ({ run, path }) =>
      new Promise((resolve) => {
        begun.push(`${run} ${path}`);
        ends.set(`${run} ${path}`, () => resolve(done));
      }),
  };
  let freed = 0;
  const slots = createRunSlots(() => {
    freed += 1;
  });
  const gated: StepRunner = { ...runner, gated: true };
  const bare: StepRunners = {
    shell: gated,
    pipeline: runner,
    agent: runner,
    model: runner,
    reap: async () => undefined,
  };
  const runners = slots.around(bare);
  /** Begins a step as the engine does. */
  const begin = async (
    kind: 'shell' | 'agent',
    run: string,
    path = kind as string,
    signal = new AbortController().signal,
  ): Promise<StepOutcome> => {
    const runner = runners[kind];
    let grant: SlotGrant | null = null;
    for (let wait = runner.claim?.(run); wait && !signal.aborted; wait = runner.claim?.(run))
      grant = await wait(signal);
    const outcome = runner.run({ run, path, signal } as StepCall);
    grant?.release();
    return outcome;
  };
  const end = async (run: string, path: string): Promise<void> => {
    ends.get(`${run} ${path}`)?.();
    await settle(4);
  };
  const take = (from: number, to: number): readonly boolean[] =>
    Array.from({ length: to - from }, (_, n) => slots.take(`run ${from + n}`, () => null));
  return { slots, runners, begin, end, begun, take, freed: () => freed };
}

describe('T27 Slots of runs', () => {
  it('are free for other runs while sixteen runs wait for agents', () => {
    const { take, begin, freed } = world();
    expect(take(0, 17).filter(Boolean)).toHaveLength(16);
    for (let n = 0; n < 16; n += 1) void begin('agent', `run ${n}`);
    expect(freed()).toBe(16);
    expect(take(16, 33).filter(Boolean)).toHaveLength(16);
  });

  it('are free for other runs of the same agent while four of them wait for agents', () => {
    const { slots, begin } = world();
    for (let n = 0; n < 4; n += 1) expect(slots.take(`run ${n}`, () => 'guide')).toBe(true);
    expect(slots.take('another', () => 'guide')).toBe(false);
    void begin('agent', 'run 0');
    expect(slots.take('another', () => 'guide')).toBe(true);
  });

  it('are claimed again before the next step of a run, in order of arrival', async () => {
    const { slots, take, begin, end, begun } = world();
    take(0, 2);
    for (const run of ['run 0', 'run 1']) void begin('agent', run).then(() => begin('shell', run));
    take(2, 18);
    for (const run of ['run 1', 'run 0']) await end(run, 'agent');
    const ofHost = () => begun.filter((step) => step.endsWith('shell'));
    expect(ofHost()).toEqual([]);
    slots.leave('run 5');
    await settle(4);
    expect(ofHost()).toEqual(['run 1 shell']);
    expect(take(18, 19)).toEqual([false]);
    slots.leave('run 6');
    await settle(4);
    expect(ofHost()).toEqual(['run 1 shell', 'run 0 shell']);
  });

  it('are not asked for the agent of a run while none is free', () => {
    const { slots, take } = world();
    take(0, 16);
    const asked: string[] = [];
    const agentOf = () => {
      asked.push('run 16');
      return null;
    };
    expect(slots.take('run 16', agentOf)).toBe(false);
    expect(asked).toEqual([]);
    slots.leave('run 0');
    expect(slots.take('run 16', agentOf)).toBe(true);
    expect(asked).toEqual(['run 16']);
  });

  it('are held while another branch of the run works, and only once', async () => {
    const { slots, take, begin, end, begun } = world();
    take(0, 16);
    void begin('shell', 'run 0', 'build');
    void begin('agent', 'run 0');
    expect(slots.take('other', () => null)).toBe(false);
    await settle(4);
    await end('run 0', 'build');
    expect(slots.take('other', () => null)).toBe(true);
    void begin('shell', 'run 0', 'second');
    void begin('shell', 'run 0', 'third');
    await settle(4);
    expect(begun).not.toContain('run 0 second');
    slots.leave('other');
    await settle(4);
    expect(begun).toEqual(expect.arrayContaining(['run 0 second', 'run 0 third']));
    await end('run 0', 'second');
    expect(slots.take('other', () => null)).toBe(false);
    await end('run 0', 'third');
    expect(slots.take('other', () => null)).toBe(true);
  });

  it('are not claimed while another agent of the same run still works', async () => {
    const { slots, take, begin, end } = world();
    take(0, 16);
    const first = begin('agent', 'run 0', 'one');
    void begin('agent', 'run 0', 'two');
    await end('run 0', 'one');
    expect(await first).toEqual(done);
    expect(slots.take('other', () => null)).toBe(true);
  });

  it('are not waited for by a step that is aborted, before or during the wait', async () => {
    const { slots, runners, take, begin, freed } = world();
    const control = new AbortController();
    take(0, 1);
    void begin('agent', 'run 0');
    take(1, 17);
    const before = freed();
    for (const abort of [() => control.abort(), () => undefined]) {
      const waited = runners.shell.claim?.('run 0')?.(control.signal);
      expect(waited).toBeDefined();
      abort();
      await waited;
    }
    slots.leave('run 1');
    expect(freed()).toBe(before + 1);
  });

  it('have a limit on runs in memory', () => {
    const { slots, begin } = world();
    let taken = 0;
    for (; slots.take(`run ${taken}`, () => null); taken += 1) void begin('agent', `run ${taken}`);
    expect(taken).toBe(500);
  });

  it('are not counted for runs that are driven elsewhere; runners keep their properties', async () => {
    const { runners, begin, end } = world();
    const step = begin('shell', 'unknown');
    await end('unknown', 'shell');
    expect(await step).toEqual(done);
    expect([runners.shell.gated, runners.agent.gated]).toEqual([true, undefined]);
  });

  it('are free while an agent works in a run that a pipeline called, and claimed again after it', async () => {
    const { slots, begin, end, begun, take } = world();
    take(0, 16);
    const signal = new AbortController().signal;
    const ended: string[] = [];
    void begin('shell', 'run 0', 'calls');
    void slots
      .share('run 0', 'child', signal, () => begin('agent', 'child').then(() => begin('shell', 'child')))
      .then(() => ended.push('child'));
    expect(take(16, 18)).toEqual([true, false]);
    await end('child', 'agent');
    expect(begun).not.toContain('child shell');
    slots.leave('run 16');
    await settle(4);
    expect(begun).toContain('child shell');
    expect(take(18, 19)).toEqual([false]);
    await end('child', 'shell');
    expect(ended).toEqual(['child']);
    await end('run 0', 'calls');
    expect(take(19, 20)).toEqual([false]);
    slots.leave('run 0');
    expect(take(20, 22)).toEqual([true, false]);
  });

  it('are waited for after a called run whose last step was an agent; an abort ends that wait', async () => {
    const { slots, begin, end, take } = world();
    take(0, 16);
    const control = new AbortController();
    const ended: string[] = [];
    for (const [run, signal] of [
      ['run 0', new AbortController().signal],
      ['run 1', control.signal],
    ] as const) {
      void begin('shell', run, 'calls');
      void slots
        .share(run, `child of ${run}`, signal, () => begin('agent', `child of ${run}`))
        .then(() => ended.push(run));
    }
    expect(take(16, 19)).toEqual([true, true, false]);
    await end('child of run 0', 'agent');
    await end('child of run 1', 'agent');
    expect(ended).toEqual([]);
    control.abort();
    await settle(4);
    expect(ended).toEqual(['run 1']);
    slots.leave('run 16');
    await settle(4);
    expect(ended).toEqual(['run 1', 'run 0']);
    expect(take(20, 21)).toEqual([false]);
  });
});
