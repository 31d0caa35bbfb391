import { describe, expect, it } from 'vitest';
import { beatMs, type HeldTask, judgeLeases, leaseMs, type Observer } from './judge-leases.ts';
import { anyAgent, chooseNext, type Lane, laneOf, pressureOf } from './queue.ts';

const lane = (agent: string, more: Partial<Lane> = {}): Lane => ({
  agent,
  concurrency: 1,
  running: 0,
  ready: 1,
  priority: 0,
  head: 1,
  served: 0,
  ...more,
});
const idle = { ready: 0, priority: null, head: null };

describe('Choice of the next task', () => {
  it('prefers the higher priority, whoever was served last', () => {
    const lanes = [lane('a', { head: 1 }), lane('b', { head: 2, priority: 5, served: 9 })];
    expect(chooseNext(lanes)).toEqual({ task: 2, lane: 'b', runner: 'b' });
  });
  it('is fair between agents of equal priority, and first come first served at the start', () => {
    expect(chooseNext([lane('a', { head: 1, served: 4 }), lane('b', { head: 9, served: 3 })])?.task).toBe(9);
    expect(chooseNext([lane('a', { head: 2 }), lane('b', { head: 1 })])?.task).toBe(1);
  });
  it('respects the concurrency of an agent, and skips a paused one', () => {
    const busy = lane('a', { running: 1, priority: 9 });
    expect(chooseNext([busy, lane('b', { head: 2 })])?.runner).toBe('b');
    expect(chooseNext([busy])).toBeNull();
    expect(chooseNext([lane('a', { concurrency: 0 })])).toBeNull();
    expect(chooseNext([lane('a', { running: 1, concurrency: 2 })])?.runner).toBe('a');
  });
  it('gives a task for any agent to the free agent served longest ago', () => {
    const any = lane(anyAgent, { head: 3, concurrency: 0 });
    const lanes = [any, lane('a', { ...idle, served: 2 }), lane('b', { ...idle, served: 1 })];
    expect(chooseNext(lanes)).toEqual({ task: 3, lane: anyAgent, runner: 'b' });
    expect(chooseNext([any, lane('a', { ...idle, running: 1 })])).toBeNull();
    expect(chooseNext([any])).toBeNull();
  });
});

describe('Task lane', () => {
  it('is the assigned agent, else the agent that created the task, else any', () => {
    expect(laneOf({ agent: 'a', runner: 'b' })).toBe('a');
    expect(laneOf({ agent: null, runner: 'b' })).toBe('b');
    expect(laneOf({ agent: null, runner: null })).toBe(anyAgent);
  });
});

describe('Queue pressure', () => {
  it('separates tasks that wait for a worker from tasks that wait for their agent', () => {
    const lanes = [
      lane('a', { running: 1, ready: 4 }),
      lane('b', { ready: 3 }),
      lane('c', { ready: 1 }),
      lane(anyAgent, { ready: 2 }),
    ];
    expect(pressureOf(lanes, 2)).toEqual({
      running: 1,
      ready: 10,
      forWorker: 1,
      forAgent: 8,
      freeAgents: 2,
      idleWorkers: 0,
    });
    expect(pressureOf([lane('b', idle), lane(anyAgent, { ready: 2 })], 4)).toEqual({
      running: 0,
      ready: 2,
      forWorker: 0,
      forAgent: 1,
      freeAgents: 1,
      idleWorkers: 3,
    });
  });
});

describe('Leases', () => {
  const held = (beat: number, more: Partial<HeldTask['lease']> = {}): HeldTask => ({
    task: 1,
    claim: 1,
    lease: { owner: 'other', pid: 5, bootId: 'b1', worker: 0, beat, ...more },
  });
  const me = (now: number, more: Partial<Observer> = {}): Observer => ({
    owner: 'me',
    bootId: 'b1',
    now,
    alive: () => true,
    ...more,
  });
  const none = new Map();

  it('last for several heartbeats, so one late heartbeat is harmless', () => {
    expect(leaseMs / beatMs).toBeGreaterThanOrEqual(3);
  });
  it('end at once if their owner rebooted or its process died (F1)', () => {
    expect(judgeLeases([held(0)], none, me(0)).dead).toEqual([]);
    expect(judgeLeases([held(0)], none, me(0, { bootId: 'b2' })).dead).toHaveLength(1);
    expect(judgeLeases([held(0)], none, me(0, { alive: (pid) => pid !== 5 })).dead).toHaveLength(1);
  });
  it('end if the heartbeat stops while the observer is awake, and renew with each heartbeat (F1)', () => {
    const first = judgeLeases([held(1)], none, me(0));
    expect(judgeLeases([held(1)], first.seen, me(leaseMs - 1)).dead).toEqual([]);
    expect(judgeLeases([held(1)], first.seen, me(leaseMs)).dead).toHaveLength(1);
    const beaten = judgeLeases([held(2)], first.seen, me(leaseMs));
    expect(beaten.dead).toEqual([]);
    expect(judgeLeases([held(2)], beaten.seen, me(leaseMs + 1)).dead).toEqual([]);
  });
  it('ignore the wall clock: the first look after a week of sleep ends none (F8, F23)', () => {
    const first = judgeLeases([held(1)], none, me(604_800_000));
    expect(first.dead).toEqual([]);
    expect(judgeLeases([held(1)], first.seen, me(604_800_000 + 5)).dead).toEqual([]);
  });
  it('are never taken from their own host, and a new claim starts anew', () => {
    const own = judgeLeases([held(1, { owner: 'me' })], none, me(0));
    expect(judgeLeases([held(1, { owner: 'me' })], own.seen, me(leaseMs * 9)).dead).toEqual([]);
    const first = judgeLeases([held(1)], none, me(0));
    expect(judgeLeases([{ ...held(1), claim: 2 }], first.seen, me(leaseMs)).dead).toEqual([]);
  });
});
