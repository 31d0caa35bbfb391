import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bashCall, samplePolicy, sendCall, writeCall } from '../../../test/fakes/policy-samples.ts';
import { englishText } from '../../language/host-message.ts';
import { canonicalJson } from '../puffo/canonical-json.ts';
import { backTest } from './back-test.ts';
import { callDigest, stableJson } from './digest.ts';
import { offersFor, patternFor } from './offers.ts';
import { consentAnswer } from './read-chat-answer.ts';

const base = { cwd: '/home/me/.kennel/agents/guide/workspace', home: '/home/me' };

describe('Call digest', () => {
  const sha = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  it('does not depend on the order of object keys', () => {
    const of = (args: Record<string, unknown>) => callDigest(sha, { agentId: 'a', tool: 't', args });
    expect(of({ b: 1, a: [{ d: 1, c: 2 }] })).toBe(of({ a: [{ c: 2, d: 1 }], b: 1 }));
    expect(of({ a: 1 })).not.toBe(of({ a: '1' }));
    expect(of({ a: 1.5, ü: null, x: undefined })).toBe('{"agent":"a","args":{"a":1.5,"ü":null},"tool":"t"}');
  });

  it('uses the canonical JSON of the wire protocol where that exists (T26)', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stableJson(value) ?? '';
        const canonical = canonicalJson(value);
        if (canonical.ok) expect(text).toBe(new TextDecoder().decode(canonical.value));
        expect(stableJson(JSON.parse(text))).toBe(text);
      }),
    );
    expect(stableJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  it('is null for data nested too deeply', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i += 1) deep = [deep];
    expect(stableJson(deep)).toBeNull();
  });
});

describe('Grants offered for a call', () => {
  it.each([
    ['git status --short', 'bash_exec(git status *)'],
    ['ls -la', 'bash_exec(ls *)'],
    ['git -C /x push', ''],
    ['ls; rm x', ''],
    ['ls > x', ''],
    ['bash -c ls', ''],
    ['env ls', ''],
    ['./tool x', ''],
    ['$x y', ''],
    ['', ''],
  ])('for the command "%s", offer the pattern "%s"', (cmd, pattern) => {
    expect(patternFor(bashCall(cmd), base)).toBe(pattern);
  });

  it.each([
    ['notes/a.md', 'write_file(notes/*)'],
    ['a.md', 'write_file(./*)'],
    ['/srv/out/a', 'write_file(/srv/out/*)'],
    ['/home/me/out/a', 'write_file(~/out/*)'],
    ['strange*/a', ''],
    ['bidi\u202e/a', ''],
  ])('for writing %s, offer "%s"', (path, pattern) => {
    expect(patternFor(writeCall(path), base)).toBe(pattern);
  });

  it('for a message, name one room, or nothing if the recipients are unknown', () => {
    expect(patternFor(sendCall('ch_1', false), base)).toBe('send_message(ch_1)');
    expect(patternFor(sendCall('*', false), base)).toBe('');
  });

  it('are fewer if the approval was forced by taint or policy', () => {
    const scopes = (by: 'mode' | 'taint' | 'never_auto', pattern: string) =>
      offersFor(writeCall('a'), by, pattern).map(({ scope }) => scope);
    expect(scopes('mode', 'p')).toEqual(['once', 'session', 'exact', 'pattern']);
    expect(scopes('mode', '')).toEqual(['once', 'session', 'exact']);
    expect(scopes('taint', 'p')).toEqual(['once', 'exact']);
    expect(scopes('never_auto', 'p')).toEqual(['once']);
  });
});

describe('Approval answers in the chat', () => {
  it.each(['y', 'Y', ' yes ', 'Yes.', 'allow'])('"%s" allows once', (text) => {
    expect(consentAnswer(text)).toEqual({ type: 'allow', scope: 'once' });
  });

  it.each([
    ['n', ''],
    ['No, not now', 'not now'],
    ['deny: wrong file\nreally', 'wrong file\nreally'],
  ])('"%s" denies', (text, reason) => {
    expect(consentAnswer(text)).toEqual({ type: 'deny', reason });
  });

  it.each([
    '',
    'yes please do',
    '> y',
    'y?',
    'ｙ',
    'у',
    'y\u200b',
    'nobody',
    'ok',
    '`y`',
    '@guide y',
    'nope',
  ])('"%s" is not an answer (T8)', (text) => {
    expect(consentAnswer(text)).toBeNull();
  });
});

describe('Back-test of rules', () => {
  it('counts what the rules would have decided, and lists the differences', () => {
    const recorded = (seq: number, cmd: string, verdict: 'allow' | 'ask' | 'deny') => {
      const call = bashCall(cmd);
      return {
        seq,
        at: seq,
        agentId: 'guide',
        tool: call.tool,
        group: 'core',
        title: `run ${cmd}`,
        digest: 'd',
        argsJson: JSON.stringify(call.args),
        tainted: false,
        assessment: call.assessment,
        verdict,
      };
    };
    const calls = [recorded(3, 'git push', 'ask'), recorded(2, 'rm x', 'ask'), recorded(1, 'ls', 'ask')];
    const rules = [
      { action: 'allow' as const, pattern: 'Bash(git *)' },
      { action: 'deny' as const, pattern: 'Bash(rm *)' },
    ];
    const result = backTest({
      calls,
      policyOf: () => samplePolicy({ rules }),
      grantsOf: () => [],
      sharesOf: () => [],
    });
    expect(result).toMatchObject({ calls: 3, allowed: 1, asked: 1, denied: 1 });
    expect(
      result.changed.map(({ title, was, would }) => `${englishText(title)}: ${was} -> ${would}`),
    ).toEqual(['run git push: ask -> allow', 'run rm x: ask -> deny']);
    expect(backTest({ calls, policyOf: () => null, grantsOf: () => [], sharesOf: () => [] }).calls).toBe(0);
  });

  it('counts a held-back reply as asked, unless its sources are now shared', () => {
    const assessment = {
      risk: 'low' as const,
      effects: [{ kind: 'send' as const, to: '@eve-1', sameThread: true }],
    };
    const heldBack = {
      roomId: 'dm:eve-1',
      outsiders: ['eve-1'],
      sources: ['files' as const],
      what: 'its files',
      who: '@eve-1',
    };
    const about = { seq: 1, at: 1, agentId: 'guide', tool: 'reply', group: 'core', title: 'send its answer' };
    const call = {
      ...about,
      digest: 'd',
      argsJson: '{}',
      tainted: true,
      assessment,
      verdict: 'ask' as const,
      heldBack,
    };
    const test = (sources: readonly 'files'[]) =>
      backTest({
        calls: [call],
        policyOf: () => samplePolicy(),
        grantsOf: () => [],
        sharesOf: () => (sources.length === 0 ? [] : [{ roomId: 'dm:eve-1', sources }]),
      });
    expect(test([])).toMatchObject({ asked: 1, allowed: 0, changed: [] });
    expect(test(['files'])).toMatchObject({ asked: 0, allowed: 1 });
  });
});
