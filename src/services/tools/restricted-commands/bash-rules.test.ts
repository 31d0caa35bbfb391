import { describe, expect, it } from 'vitest';
import { isWindowsTrap } from '../confined/windows-names.ts';
import { bashSettings } from './bash-limits.ts';
import { cutStreams, Output } from './output.ts';
import { programPath } from './path-arguments.ts';

describe('Bash tool settings', () => {
  it('are read from the configuration and from POP_AGENT_BASH variables', () => {
    expect(bashSettings({}, {})).toEqual({
      timeoutS: 15,
      maxOutputChars: 20_000,
      approvals: true,
      allowedRoots: [],
      writableRoots: [],
    });
    const env = {
      POP_AGENT_BASH_ALLOWED_ROOTS: '/a, /b,relative,,',
      POP_AGENT_BASH_WRITABLE_ROOTS: '/w',
      POP_AGENT_BASH_TIMEOUT_S: '999',
      POP_AGENT_BASH_MAX_OUTPUT_CHARS: 'many',
      POP_AGENT_BASH_PROMPT_APPROVAL: 'false',
    };
    expect(bashSettings({ allowedRoots: ['/a', '/c'], timeoutS: 20, maxOutputChars: 300 }, env)).toEqual({
      timeoutS: 60,
      maxOutputChars: 300,
      approvals: false,
      allowedRoots: ['/a', '/c', '/b'],
      writableRoots: ['/w'],
    });
  });
});

describe('Bash tool output', () => {
  it('is split evenly if both streams are long; one stream may use what the other leaves', () => {
    const limits = { maxOutputChars: 10, stdoutMaxChars: null, stderrMaxChars: null };
    const whole = { stdout: true, stderr: true };
    const cut = (stdout: string, stderr: string, more = {}) => {
      const both = cutStreams({ stdout, stderr }, whole, { ...limits, ...more });
      return [both.stdout.text.length, both.stderr.text.length];
    };
    expect(cut('o'.repeat(20), 'e'.repeat(20))).toEqual([5, 5]);
    expect(cut('o'.repeat(20), 'ee')).toEqual([8, 2]);
    expect(cut('oo', 'e'.repeat(20))).toEqual([2, 8]);
    expect(cut('o'.repeat(20), 'e'.repeat(20), { stdoutMaxChars: 1 })).toEqual([1, 9]);
    expect(cut('ooo', 'eee')).toEqual([3, 3]);
  });

  it('is never cut within a character, and is buffered only as needed', () => {
    const out = new Output(4);
    out.write('x'.repeat(1000));
    expect([out.text().length, out.total, out.full]).toEqual([16, 1000, true]);
    const limits = { maxOutputChars: 3, stdoutMaxChars: null, stderrMaxChars: null };
    const { stdout } = cutStreams({ stdout: 'ab😀c', stderr: '' }, { stdout: true, stderr: true }, limits);
    expect(stdout).toEqual({ text: 'ab', truncated: true });
  });
});

describe('Bash tool paths', () => {
  it.each([
    ['./-x', './-x'],
    ['a/../b', 'b'],
    ['(', './('],
    ['.', '.'],
    ['/a//b/../c', '/a/c'],
    ['../x', '../x'],
    ['ä', './ä'],
  ])('pass %s to a program as %s', (path, expected) => expect(programPath(path)).toBe(expected));

  it.each([
    '\\\\server\\share',
    '//server/x',
    'a.txt:hidden',
    'CON',
    'sub\\nul.txt',
    'COM1',
    'a. ',
    'x/aux/y',
    'C:x',
    'GIT~1\\config',
  ])('treat %s as unsafe on Windows', (path) => expect(isWindowsTrap(path)).toBe(true));
  it.each(['a.txt', 'C:\\work\\a', '..\\b', 'console.log', '.', '..', 'src/con-fig'])(
    'treat %s as safe on Windows',
    (path) => expect(isWindowsTrap(path)).toBe(false),
  );
});
