import { describe, expect, test } from 'vitest';
import type { RoomsView } from '../../contract/model.ts';
import { say } from '../../language/say.ts';
import { shownRuleText } from './rule-text.ts';

const rooms = { rooms: { ch_1: { id: 'ch_1', kind: 'channel', name: 'general' } } } as unknown as RoomsView;

describe('Text of a standing answer', () => {
  test.each([
    ['write_file(./*)', 'Write any file directly in its workspace'],
    ['edit_file(notes/*)', 'Change any file directly in notes'],
    ['read_file(~/plans/*)', 'Read any file directly in ~/plans'],
    ['list_dir(notes/*)', 'Use list_dir on any file directly in notes'],
    ['bash_exec(git status *)', 'Run any command that starts with “git status”'],
    ['send_message(ch_1)', 'Send messages to #general'],
    ['send_message(@ada-3f9a)', 'Send messages to @ada-3f9a'],
  ])('says what %s covers, with the rule under it', (rule, plain) => {
    expect(shownRuleText('pattern', rule, rooms)).toEqual({ covers: `${plain}, always`, exact: rule });
    expect(shownRuleText('session', say('approvals.untilKennelStops', { rule }), rooms)).toEqual({
      covers: `${plain}, until Kennel quits`,
      exact: rule,
    });
  });

  test.each(['write_file(*.md)', 'send_message(ch_2)', 'anything else'])(
    'shows %s itself if no plain words are certain',
    (rule) => {
      expect(shownRuleText('pattern', rule, rooms)).toEqual({ covers: `${rule}, always`, exact: null });
    },
  );

  test('keeps the words of an exact call', () => {
    const rule = say('approvals.exactCall', { tool: 'bash_exec' });
    const covers = 'bash_exec with exactly these arguments';
    expect(shownRuleText('exact', rule, rooms).covers).toBe(`${covers}, always`);
    expect(shownRuleText('session', say('approvals.untilKennelStops', { rule }), rooms)).toEqual({
      covers: `${covers}, until Kennel quits`,
      exact: null,
    });
  });
});
