import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bashCall, samplePolicy, sendCall, writeCall } from '../../../test/fakes/policy-samples.ts';
import { canonicalJson } from '../puffo/canonical-json.ts';
import { backTest } from './back-test.ts';
import { consentAnswer } from './consent-words.ts';
import { callDigest, stableJson } from './digest.ts';
import { offersFor, patternFor } from './offers.ts';

const base = { cwd: '/home/me/.kennel/agents/guide/workspace', home: '/home/me' };

describe('the digest', () => {
  const sha = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  it('is over a form in which the order of members does not count', () => {
    const of = (args: Record<string, unknown>) => callDigest(sha, { agentId: 'a', tool: 't', args });
    expect(of({ b: 1, a: [{ d: 1, c: 2 }] })).toBe(of({ a: [{ c: 2, d: 1 }], b: 1 }));
    expect(of({ a: 1 })).not.toBe(of({ a: '1' }));
    expect(of({ a: 1.5, ü: null, x: undefined })).toBe('{"agent":"a","args":{"a":1.5,"ü":null},"tool":"t"}');
  });

  it('is that of the wire protocol where that has one, and parses back to the same (T26)', () => {
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

  it('there is none for what is nested too deep to look at', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i += 1) deep = [deep];
    expect(stableJson(deep)).toBeNull();
  });
});

describe('what can be answered for good', () => {
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
  ])('for the command "%s" the pattern is "%s"', (cmd, pattern) => {
    expect(patternFor(bashCall(cmd), base)).toBe(pattern);
  });

  it.each([
    ['notes/a.md', 'write_file(notes/*)'],
    ['a.md', 'write_file(./*)'],
    ['/srv/out/a', 'write_file(/srv/out/*)'],
    ['/home/me/out/a', 'write_file(~/out/*)'],
    ['strange*/a', ''],
    ['bidi\u202e/a', ''],
  ])('for writing %s it is "%s"', (path, pattern) => {
    expect(patternFor(writeCall(path), base)).toBe(pattern);
  });

  it('one room, and nothing where the reach cannot be seen', () => {
    expect(patternFor(sendCall('ch_1', false), base)).toBe('send_message(ch_1)');
    expect(patternFor(sendCall('*', false), base)).toBe('');
  });

  it('is narrower the less may be allowed by itself', () => {
    const scopes = (by: 'mode' | 'taint' | 'never_auto', pattern: string) =>
      offersFor(writeCall('a'), by, pattern).map(({ scope }) => scope);
    expect(scopes('mode', 'p')).toEqual(['once', 'session', 'exact', 'pattern']);
    expect(scopes('mode', '')).toEqual(['once', 'session', 'exact']);
    expect(scopes('taint', 'p')).toEqual(['once', 'exact']);
    expect(scopes('never_auto', 'p')).toEqual(['once']);
  });
});

describe('words of consent', () => {
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
  ])('"%s" is no answer (T8)', (text) => {
    expect(consentAnswer(text)).toBeNull();
  });
});

describe('the back-test', () => {
  it('counts what rules would have decided, and shows what would differ', () => {
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
    expect(result.changed.map(({ title, was, would }) => `${title}: ${was} -> ${would}`)).toEqual([
      'run git push: ask -> allow',
      'run rm x: ask -> deny',
    ]);
    expect(backTest({ calls, policyOf: () => null, grantsOf: () => [], sharesOf: () => [] }).calls).toBe(0);
  });

  it('asks about an answer that was held back, unless its sources are shared by now', () => {
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
