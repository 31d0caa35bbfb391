import { describe, expect, it } from 'vitest';
import type { ScheduleStartsView, ScheduleWhenView } from '../../contract/schedule-methods.ts';
import { changedStarts, changedWhen, startsFromFlags, whenOf } from './schedule-flags.ts';

const now = Date.UTC(2026, 4, 4, 12);
const cron = { kind: 'cron', expression: '0 9 * * *', timeZone: 'Europe/Berlin' } as const;
const files = { kind: 'file', path: '/notes', glob: '*.md', restMs: 200 } as const;
const once = { kind: 'once', at: now + 60_000 } as const;
const budget = { steps: 12, tokens: null, usd: 0.5 };
const task: ScheduleStartsView = {
  kind: 'task',
  goal: 'Sweep',
  agent: 'guide',
  project: 'home',
  priority: 3,
  budget,
  room: 'general',
};
const flow: ScheduleStartsView = { kind: 'workflow', file: '/flows/a.puppy', args: { depth: 2 } };

const refusal = (work: () => unknown): string => {
  try {
    return `taken: ${JSON.stringify(work())}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('Schedule flags', () => {
  it('change only the given fields', () => {
    const when = (before: ScheduleWhenView, flags: object) => changedWhen(before, flags, now);
    expect(when(cron, { timeZone: 'UTC' })).toEqual({ ...cron, timeZone: 'UTC' });
    expect(when(cron, { cron: '0 8 * * *' })).toEqual({ ...cron, expression: '0 8 * * *' });
    expect(when(files, { rest: '5s' })).toEqual({ ...files, restMs: 5_000 });
    expect(when(files, { glob: '' })).toEqual({ ...files, glob: null });
    expect(when(files, { file: '/mail' })).toEqual({ ...files, path: '/mail' });
    const starts = changedStarts;
    expect(starts(task, { task: 'Mop' })).toEqual({ ...task, goal: 'Mop' });
    expect(starts(task, { agent: 'checker', project: '' })).toEqual({
      ...task,
      agent: 'checker',
      project: null,
    });
    expect(starts(task, { agent: '', to: '' })).toEqual({ ...task, agent: null, room: null });
    expect(starts(task, { budgetUsd: 'none' })).toEqual({ ...task, budget: { ...budget, usd: null } });
    expect(starts(flow, { args: '{"depth":3}' })).toEqual({ ...flow, args: { depth: 3 } });
    expect(starts(flow, { workflow: '/flows/b.puppy' })).toEqual({ ...flow, file: '/flows/b.puppy' });
  });

  it('start from the defaults if the kind of trigger or target changes', () => {
    expect(changedWhen(once, { file: '/notes' }, now)).toEqual({ ...files, glob: null, restMs: 2_000 });
    expect(changedWhen(files, { cron: '0 9 * * *', timeZone: 'Europe/Berlin' }, now)).toEqual(cron);
    expect(changedStarts(task, { workflow: '/flows/a.puppy' })).toEqual({ ...flow, args: {} });
    expect(changedStarts(flow, { task: 'Sweep' })).toEqual({
      ...task,
      agent: null,
      project: null,
      priority: 0,
      budget: {},
      room: null,
    });
  });

  it('name a resource with its server, of all agents or of one', () => {
    const watched = { kind: 'resource', uri: 'docs://news', restMs: 2_000, pollMs: 60_000 } as const;
    expect(whenOf({ watch: 'docs://news', server: 'news' }, now)).toEqual({
      ...watched,
      server: 'news',
      agent: null,
    });
    const ofAgent = { ...watched, server: 'news', agent: 'guide' };
    expect(whenOf({ watch: 'docs://news', server: 'guide/news' }, now)).toEqual(ofAgent);
    expect(changedWhen(ofAgent, { poll: '5m' }, now)).toEqual({ ...ofAgent, pollMs: 300_000 });
    expect(refusal(() => whenOf({ watch: 'docs://news' }, now))).toContain('--server go together');
    expect(refusal(() => whenOf({ at: 'in 2h', server: 'news' }, now))).toContain('--server go together');
    expect(refusal(() => changedWhen(ofAgent, { poll: '0' }, now))).toContain('--poll takes');
  });

  it('are refused if they do not apply to the kind of trigger or target', () => {
    expect(refusal(() => whenOf({ at: 'in 2h', timeZone: 'UTC' }, now))).toContain('goes with --cron');
    expect(refusal(() => changedWhen(once, { timeZone: 'UTC' }, now))).toContain('goes with --cron');
    expect(refusal(() => whenOf({ cron: '* * * * *', rest: '5s' }, now))).toContain('goes with --file');
    expect(refusal(() => changedWhen(once, { file: '/a', cron: '* * * * *' }, now))).toContain('one of');
    expect(refusal(() => whenOf({}, now))).toContain('one of');
    expect(refusal(() => startsFromFlags({ workflow: 'a.puppy', agent: 'guide' }))).toContain(
      'go with --task',
    );
    expect(refusal(() => changedStarts(flow, { priority: '3' }))).toContain('go with --task');
    expect(refusal(() => changedStarts(task, { args: '{}' }))).toContain('goes with --workflow');
    expect(refusal(() => startsFromFlags({ agent: 'guide' }))).toContain('Say what to start');
  });
});
