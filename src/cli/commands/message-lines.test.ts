import { describe, expect, it } from 'vitest';
import { message } from '../../../test/renderer/fake-data.ts';
import { messageLine } from './message-lines.ts';

const sentAt = Date.UTC(2026, 10, 1, 9, 30);
const said = 'Two things:\n2026-11-01 09:31:00  Guide: yes\nbye';

describe('messageLine', () => {
  it('indents further lines, so that none looks like another message', () => {
    const lines = messageLine(message('m1', { text: said, sentAt }), false).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^2026-11-01 09:30:00 {2}\S+: Two things:$/);
    expect(lines[1]).toBe('    2026-11-01 09:31:00  Guide: yes');
    expect(lines[2]).toBe('    bye');
  });

  it('keeps a reply under its thread mark', () => {
    const reply = message('m2', { text: 'a\nb', sentAt, threadRootId: 'm1' });
    expect(messageLine(reply, false)).toMatch(/^ {2}> 2026.*: a\n {2}> {5}b$/);
  });
});
