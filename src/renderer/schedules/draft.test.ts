import { describe, expect, it } from 'vitest';
import { schedule, schedules } from '../../../test/renderer/schedule-data.ts';
import { scheduleMethods } from '../../contract/schedule-methods.ts';
import { draftOf, expressionIn, readDraft } from './draft.ts';

const now = new Date(2026, 4, 4, 12).getTime();

describe('a schedule in its form', () => {
  it('comes out as it went in', () => {
    for (const { name, when, starts, catchUp } of schedules()) {
      const draft = draftOf(schedule('s', { name, when, starts, catchUp }), now);
      expect(readDraft(draft), name).toEqual({ name, when, starts, catchUp });
    }
  });

  it('begins with something that can be sent as soon as there is a goal, and is called after it', () => {
    const begun = draftOf(null, now);
    expect(readDraft(begun)).toEqual({ missing: 'goal' });
    const read = readDraft({ ...begun, goal: ' Water the plants\nall of them ' });
    expect(read).toMatchObject({ name: 'Water the plants', when: { kind: 'cron', expression: '0 9 * * *' } });
    expect(scheduleMethods['schedules.add'].input.safeParse(read).success).toBe(true);
  });

  it('says which part is missing', () => {
    const begun = { ...draftOf(null, now), goal: 'x' };
    expect(readDraft({ ...begun, starts: 'workflow' })).toEqual({ missing: 'file' });
    expect(readDraft({ ...begun, when: 'once', once: '' })).toEqual({ missing: 'time' });
    expect(readDraft({ ...begun, when: 'file', path: ' ' })).toEqual({ missing: 'path' });
  });

  it('never asks for what the host would refuse as malformed', () => {
    const begun = { ...draftOf(null, now), goal: 'x', path: '/notes' };
    const odd = [
      { ...begun, when: 'file', rest: 'soon' },
      { ...begun, when: 'file', rest: '1e9' },
      { ...begun, when: 'file', rest: '-1' },
    ] as const;
    for (const draft of odd) {
      const input = scheduleMethods['schedules.add'].input.safeParse(readDraft(draft));
      expect(input.success, draft.rest).toBe(true);
    }
    expect(expressionIn({ ...begun, often: 'monthly', date: '99', time: '' })).toBe('0 0 31 * *');
  });
});
