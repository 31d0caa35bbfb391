import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bashCall,
  sampleCall,
  samplePolicy,
  sendCall,
  writeCall,
} from '../../../test/fakes/policy-samples.ts';
import { decide } from './evaluate-policy.ts';
import { parsePattern, toolFits, toolPatternFits } from './patterns.ts';

const base = { cwd: '/home/me/.kennel/agents/guide/workspace', home: '/home/me' };
const covers = (pattern: string, cmd: string) => toolPatternFits(pattern, bashCall(cmd), base, 'covers');
const meets = (pattern: string, cmd: string) => toolPatternFits(pattern, bashCall(cmd), base, 'meets');

describe('Command patterns', () => {
  it.each([
    ['Bash(git *)', 'git status', true],
    ['Bash(git *)', 'git', true],
    ['Bash(git:*)', 'git log -3', true],
    ['bash_exec(git status *)', 'git status --short', true],
    ['bash_exec(git status *)', 'git push', false],
    ['Bash(git status)', 'git status --short', false],
    ['Bash', 'ls', true],
    ['*', 'ls', true],
    // Every simple command must be covered, even a hidden one.
    ['Bash(git *)', 'git x; rm -rf y', false],
    ['Bash(git *)', 'git x && rm y', false],
    ['Bash(git *)', 'git x | sh', false],
    ['Bash(git *)', 'git x\nrm y', false],
    ['Bash(git *)', 'git $(rm y)', false],
    ['Bash(git *)', 'git `rm y`', false],
    ['Bash(git *)', 'git log > /etc/passwd', false],
    ['Bash(git *)', 'PATH=/tmp git x', false],
    ['Bash(git *)', 'git x "', false],
    ['Bash(git *)', 'gitx', false],
    ['Bash(git *)', './git x', false],
    ['Bash(git *)', '/tmp/git x', false],
    ['Bash(git *)', '"git x" y', false],
    ['Bash(git *)', '$GIT x', false],
    ['Bash(eval *)', 'eval "$x"', false],
    ['Bash(ls *)', 'git x', false],
    ['Read(*)', 'cat x', false],
  ])('%s covers "%s": %s', (pattern, cmd, expected) => {
    expect(covers(pattern, cmd)).toBe(expected);
  });

  it.each([
    ['Bash(rm *)', 'rm x', true],
    ['Bash(rm *)', 'ls; rm x', true],
    ['Bash(rm *)', '/bin/rm x', true],
    ['Bash(rm *)', 'ls $(rm x)', true],
    ['Bash(rm *)', 'env -i rm x', true],
    ['Bash(rm *)', 'find . -exec rm {} +', true],
    ['Bash(rm *)', "sh -c 'rm x'", true],
    ['Bash(rm *)', 'eval "r""m x"', true],
    ['Bash(rm *)', 'alias x=rm; x y', true],
    ['Bash(rm *)', "trap 'rm x' EXIT", true],
    ['Bash(rm *)', '. ./x', true],
    ['Bash(rm *)', 'ls "', true],
    ['Bash(rm *)', 'echo rm', false],
    ['Bash(rm *)', 'ls', false],
  ])('a deny of %s matches "%s": %s', (pattern, cmd, expected) => {
    expect(meets(pattern, cmd)).toBe(expected);
  });

  it('do not cover a covered command with anything appended', () => {
    const tail = fc.constantFrom(
      '; rm y',
      ' && rm y',
      ' | sh',
      '\nrm y',
      ' $(rm y)',
      ' `rm y`',
      ' > /x',
      ' & rm y',
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}$/), tail, (word, more) => {
        expect(covers('Bash(git *)', `git ${word}`)).toBe(true);
        expect(covers('Bash(git *)', `git ${word}${more}`)).toBe(false);
      }),
    );
  });

  it('match every call that they cover', () => {
    const cmd = fc.stringMatching(/^[a-z;|&$()"'` <>-]{0,24}$/);
    const pattern = fc.constantFrom('Bash(a *)', 'Bash(*)', 'bash_exec(a b)', '*', 'Bash(a:*)');
    fc.assert(
      fc.property(cmd, pattern, (line, text) => {
        if (covers(text, line)) expect(meets(text, line)).toBe(true);
      }),
    );
  });
});

describe('Patterns for other tools', () => {
  it('match files by path: all paths to cover, any path to match', () => {
    const two = sampleCall({
      effects: [
        { kind: 'write', path: `${base.cwd}/notes/a` },
        { kind: 'write', path: `${base.cwd}/secret/b` },
      ],
    });
    expect(toolPatternFits('write_file(notes/*)', writeCall('notes/a'), base, 'covers')).toBe(true);
    expect(toolPatternFits('Write(notes/*)', writeCall('notes/a'), base, 'covers')).toBe(true);
    expect(toolPatternFits('write_file(notes/*)', writeCall('/srv/notes/a'), base, 'covers')).toBe(false);
    expect(toolPatternFits('write_file(notes/*)', two, base, 'covers')).toBe(false);
    expect(toolPatternFits('write_file(notes/*)', two, base, 'meets')).toBe(true);
  });

  it('match rooms', () => {
    expect(toolPatternFits('send_message(ch_1)', sendCall('ch_1', false), base, 'covers')).toBe(true);
    expect(toolPatternFits('send_message(ch_1)', sendCall('ch_2', false), base, 'covers')).toBe(false);
  });

  it('that are malformed cover nothing and match everything', () => {
    expect(parsePattern('write file(')).toBeNull();
    expect(toolPatternFits('write file(', writeCall('a'), base, 'covers')).toBe(false);
    expect(toolPatternFits('write file(', writeCall('a'), base, 'meets')).toBe(true);
  });

  it.each([
    ['group:files', 'write_file', true],
    ['files', 'write_file', true],
    ['write_*', 'write_file', true],
    ['Edit', 'write_file', false],
    ['group:memory', 'write_file', false],
    ['constructor', 'write_file', false],
    ['Write_File', 'write_file', false],
    ['write', 'write_file', false],
    ['mcp__GitHub__delete', 'mcp__GitHub__delete', true],
    ['mcp__GitHub__*', 'mcp__GitHub__delete', true],
    ['mcp__github__delete', 'mcp__GitHub__delete', false],
    ['mcp__puffo__write_file', 'write_file', true],
    ['mcp__puffo__*', 'write_file', false],
  ])('T9: tool name %s matches %s: %s', (pattern, tool, expected) => {
    expect(toolFits(pattern, tool, 'files')).toBe(expected);
  });

  it('T9: rules match tool names with capitals, and chat tools under their MCP name', () => {
    const call = { ...sampleCall({ effects: [] }), tool: 'mcp__GitHub__delete' };
    const rules = [{ action: 'deny' as const, tool: 'mcp__GitHub__delete' }];
    expect(decide(samplePolicy({ rules }), call, [])).toMatchObject({ verdict: 'deny', by: 'rule' });
    const chat = [{ action: 'deny' as const, pattern: 'mcp__puffo__send_*' }];
    const send = { ...sendCall('ch_1', false), group: 'puffo' as const };
    expect(decide(samplePolicy({ rules: chat }), send, [])).toMatchObject({ verdict: 'deny', by: 'rule' });
  });
});
