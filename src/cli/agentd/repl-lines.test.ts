import { describe, expect, it } from 'vitest';
import { completeLine, ReplLines } from './repl-lines.ts';

const all = (...lines: readonly string[]) => {
  const reader = new ReplLines();
  return lines.map((line) => reader.add(line));
};

describe('Lines of the agent prompt', () => {
  it('are messages or commands', () => {
    expect(all(' hello ', '', 'quit', '/exit', '/help', '/tools', '/agent two', '/unknown', '/a b')).toEqual([
      { kind: 'message', text: 'hello' },
      { kind: 'nothing' },
      { kind: 'quit' },
      { kind: 'quit' },
      { kind: 'help' },
      { kind: 'tools' },
      { kind: 'agent', name: 'two' },
      { kind: 'help' },
      { kind: 'message', text: '/a b' },
    ]);
  });

  it('continue after a backslash, and between two lines of three quotes', () => {
    const more = { kind: 'more' };
    expect(all('one\\', 'quit')).toEqual([more, { kind: 'message', text: 'one\nquit' }]);
    expect(all('"""', 'a', '', 'quit\\', '"""', 'b')).toEqual([
      more,
      more,
      more,
      more,
      { kind: 'message', text: 'a\n\nquit\\' },
      { kind: 'message', text: 'b' },
    ]);
  });

  it('are completed with commands and names of agents', () => {
    expect(completeLine('/a', [])).toEqual([['/agent', '/agents'], '/a']);
    expect(completeLine('/agent n', ['news', 'night', 'x'])[0]).toEqual(['/agent news', '/agent night']);
    expect(completeLine('hel', ['a'])[0]).toEqual([]);
  });
});
