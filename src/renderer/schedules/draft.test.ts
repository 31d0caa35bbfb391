import { describe, expect, it } from 'vitest';
import { schedule, schedules } from '../../../test/renderer/schedule-data.ts';
import { scheduleMethods } from '../../contract/schedule-methods.ts';
import { draftOf, expressionIn, readDraft } from './draft.ts';

const now = new Date(2026, 4, 4, 12).getTime();

describe('Schedule draft', () => {
  it('round-trips a stored schedule unchanged', () => {
    for (const { name, when, starts, catchUp } of schedules()) {
      const before = schedule('s', { name, when, starts, catchUp });
      expect(readDraft(draftOf(before, now), before), name).toEqual({ name, when, starts, catchUp });
    }
  });

  it('keeps the hidden seconds of a time until another time is chosen', () => {
    const when = { kind: 'once', at: now + 12_345 } as const;
    const before = schedule('s', { when });
    const draft = { ...draftOf(before, now), name: 'another' };
    expect(readDraft(draft, before)).toMatchObject({ name: 'another', when });
    const later = { ...draft, once: '2026-05-04T12:01' };
    expect(readDraft(later, before)).toMatchObject({ when: { at: now + 60_000 } });
  });

  it('uses the default limits for a new schedule without limits, and clears the limits of an existing one', () => {
    const draft = { ...draftOf(null, now), goal: 'x' };
    expect(readDraft(draft, null)).toMatchObject({ starts: { budget: {} } });
    const none = { steps: null, tokens: null, usd: null };
    expect(readDraft(draft, schedule('s', {}))).toMatchObject({ starts: { budget: none } });
  });

  it('is valid as soon as it has a goal, and takes its name from the goal’s first line', () => {
    const begun = draftOf(null, now);
    expect(readDraft(begun, null)).toEqual({ missing: 'goal' });
    const read = readDraft({ ...begun, goal: ' Water the plants\nall of them ' }, null);
    expect(read).toMatchObject({ name: 'Water the plants', when: { kind: 'cron', expression: '0 9 * * *' } });
    expect(scheduleMethods['schedules.add'].input.safeParse(read).success).toBe(true);
  });

  it('reports the missing part', () => {
    const begun = { ...draftOf(null, now), goal: 'x' };
    expect(readDraft({ ...begun, starts: 'workflow' }, null)).toEqual({ missing: 'file' });
    expect(readDraft({ ...begun, when: 'once', once: '' }, null)).toEqual({ missing: 'time' });
    expect(readDraft({ ...begun, when: 'file', path: ' ' }, null)).toEqual({ missing: 'path' });
  });

  it('always produces input that the host accepts as well-formed', () => {
    const begun = { ...draftOf(null, now), goal: 'x', path: '/notes' };
    const odd = [
      { ...begun, when: 'file', rest: 'soon' },
      { ...begun, when: 'file', rest: '1e9' },
      { ...begun, when: 'file', rest: '-1' },
    ] as const;
    for (const draft of odd) {
      const input = scheduleMethods['schedules.add'].input.safeParse(readDraft(draft, null));
      expect(input.success, draft.rest).toBe(true);
    }
    expect(expressionIn({ ...begun, often: 'monthly', date: '99', time: '' })).toBe('0 0 31 * *');
  });
});

it('a resource keeps its server and its agent, and is asked for if one of them is empty', () => {
  const when = {
    kind: 'resource',
    uri: 'docs://news',
    server: 'news',
    agent: 'a1',
    restMs: 500,
    pollMs: 30_000,
  } as const;
  const draft = { ...draftOf(null, 0), goal: 'Read', when: 'resource', uri: ' docs://news ' } as const;
  expect(readDraft({ ...draft, server: 'a1/news', rest: '0.5', poll: '30' }, null)).toMatchObject({ when });
  expect(readDraft({ ...draft, server: 'news' }, null)).toMatchObject({
    when: { agent: null, server: 'news' },
  });
  expect(readDraft(draft, null)).toEqual({ missing: 'resource' });
  expect(readDraft({ ...draft, uri: '', server: 'a1/' }, null)).toEqual({ missing: 'resource' });
});
