import { describe, expect, it } from 'vitest';
import type { RuntimeKind } from '../../contract/runtime-kinds.ts';
import { checkTriple, effectiveTriple, notYet, takesArrivals } from './runtime-triple.ts';

const why = (kind: string, provider: string, harness: string): string => {
  const checked = checkTriple({ kind, provider, harness });
  return checked.ok ? '' : checked.error.message;
};

describe('Runtime kind, provider and harness', () => {
  it('drops the harness for kinds without a program', () => {
    expect(checkTriple({ kind: 'chat-local', provider: 'openai', harness: 'bogus' })).toEqual({
      ok: true,
      value: { provider: 'openai', harness: '' },
    });
  });

  it('says whether a message can join a turn', () => {
    const joins = (kind: RuntimeKind, harness = '', provider = ''): boolean =>
      takesArrivals({ kind, provider, harness });
    expect([joins('chat-local'), joins('sdk-local'), joins('cli-local'), joins('cli-docker')]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const others = ['gemini-cli', 'codex', 'opencode', 'pi', 'hermes', 'custom'];
    expect(others.map((harness) => joins('cli-local', harness))).toEqual(others.map(() => false));
    expect(joins('cli-local', '', 'google')).toBe(false);
  });

  it('names the kinds that do not run in this version', () => {
    const why = (kind: RuntimeKind, harness = '') => notYet({ kind, provider: '', harness });
    expect(why('chat-local', 'hermes')).toBeNull();
    expect(why('cli-local')).toBeNull();
    expect(why('cli-local', 'hermes')).toBeNull();
    expect(why('cli-local', 'bogus')?.message).toContain('bogus');
    expect(why('cli-local', 'custom')).toBeNull();
    expect(why('cli-docker', 'custom')?.message).toContain('custom');
    expect(why('cli-docker')).toBeNull();
  });

  it('picks the harness of the provider if none is given', () => {
    const harnessOf = (provider: string) =>
      effectiveTriple({ kind: 'cli-local', provider, harness: '' }).harness;
    expect(['', 'anthropic', 'openai', 'google'].map(harnessOf)).toEqual([
      'claude-code',
      'claude-code',
      'hermes',
      'gemini-cli',
    ]);
  });

  it('explains what does not fit, and lists what would', () => {
    expect(why('cli-docker', 'google', 'claude-code')).toBe(
      "harness 'claude-code' does not support provider 'google' (supported: anthropic)",
    );
    expect(why('cli-sandbox', '', '')).toContain('reserved for a future release');
    expect(why('chat-only', '', '')).toContain('unknown runtime kind');
    expect(why('sdk-local', 'mistral', '')).toContain('unknown provider');
    expect(why('cli-local', '', 'constructor')).toContain('unknown harness');
  });
});
