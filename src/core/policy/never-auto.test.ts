import { describe, expect, it } from 'vitest';
import {
  exactGrant,
  patternGrant,
  sampleCall,
  samplePolicy,
  writeCall,
} from '../../../test/fakes/policy-samples.ts';
import type { Effect } from './assessment.ts';
import { decide } from './evaluate-policy.ts';
import type { AgentPolicy } from './policy-call.ts';

const kennel = '/home/me/.kennel';
const everything = [exactGrant('write_file', 'd1'), patternGrant('write_file', 'write_file')];

/** With the widest possible rule and grants. */
function decided(effect: Effect, change: Partial<AgentPolicy> = {}) {
  const policy = samplePolicy({ rules: [{ action: 'allow' }], mode: 'trusted_folders', ...change });
  return decide(policy, sampleCall({ effects: [effect], risk: 'low' }), everything);
}

describe("Kennel's own files (T14)", () => {
  it.each([
    ['agent.yml', { kind: 'write', path: `${kennel}/agents/guide/agent.yml` }],
    ['profile.md', { kind: 'write', path: `${kennel}/agents/guide/profile.md` }],
    ['keys', { kind: 'read', path: `${kennel}/agents/guide/keys/guide-0001.json` }],
    ['the audit log', { kind: 'write', path: `${kennel}/audit/audit.jsonl` }],
    ["another agent's workspace", { kind: 'write', path: `${kennel}/agents/checker/workspace/x` }],
    ['a folder that holds them', { kind: 'read', path: '/home/me' }],
    ['everything', { kind: 'delete', path: '/' }],
    ['a name with backslashes', { kind: 'write', path: `${kennel}/agents/x\\..\\guide\\workspace\\a` }],
  ] as const)('always need approval: %s', (_name, effect) => {
    expect(decided(effect)).toMatchObject({ verdict: 'ask', by: 'never_auto' });
    expect(decided(effect, { mode: 'unattended' })).toMatchObject({ verdict: 'deny', by: 'never_auto' });
  });

  it('stay protected if the workspace is the whole home folder', () => {
    const roots = { cwd: '/home/me', readable: ['/home/me'], writable: ['/home/me'] };
    const wide = { roots, ownRoots: [] };
    expect(decided({ kind: 'write', path: `${kennel}/daemon.yml` }, wide).by).toBe('never_auto');
    expect(decided({ kind: 'read', path: '/home/me' }, wide).by).toBe('never_auto');
    expect(decided({ kind: 'write', path: '/home/me/notes.md' }, wide).verdict).toBe('allow');
  });
});

describe('Files that instruct an agent (T9)', () => {
  it.each([
    '.claude/skills/a/SKILL.md',
    '.agents/skills/a/SKILL.md',
    '.mcp.json',
    'sub/.Claude/settings.json',
    'CLAUDE.md',
    '.claude',
    'sub/CLAUDE.local.md',
    'claude.Local.MD',
  ])('%s needs approval for each write, and may be read', (path) => {
    const policy = samplePolicy({ mode: 'trusted_folders', rules: [{ action: 'allow' }] });
    const asked = { verdict: 'ask', by: 'never_auto' };
    expect(decide(policy, writeCall(path), everything)).toMatchObject(asked);
    expect(decide(samplePolicy({ mode: 'unattended' }), writeCall(path), []).verdict).toBe('deny');
    expect(decided({ kind: 'read', path: `${samplePolicy().roots.cwd}/${path}` }).verdict).toBe('allow');
  });
});

describe('Git repository files (T9)', () => {
  it.each([
    '.git/hooks/pre-commit',
    'project/.GIT/config',
    '.git',
    'GIT~1/config',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
    'innocent/HEAD',
  ])('%s needs approval for each write', (path) => {
    const policy = samplePolicy({ mode: 'trusted_folders', rules: [{ action: 'allow' }] });
    expect(decide(policy, writeCall(path), everything)).toMatchObject({ verdict: 'ask', by: 'never_auto' });
    const unattended = samplePolicy({ mode: 'unattended' });
    expect(decide(unattended, writeCall(path), []).verdict).toBe('deny');
  });

  it('T14: files in a folder that looks like a repository need approval, whatever its name', () => {
    const cwd = samplePolicy().roots.cwd;
    const isRepository = (folder: string): boolean => folder === `${cwd}/data`;
    const policy = samplePolicy({ mode: 'trusted_folders', rules: [{ action: 'allow' }], isRepository });
    for (const path of ['data/hooks/post-update', 'data/config', 'data/objects/aa/bb'])
      expect(decide(policy, writeCall(path), everything)).toMatchObject({ verdict: 'ask', by: 'never_auto' });
    expect(decide(policy, writeCall('other/hooks/post-update'), everything).verdict).toBe('allow');
  });

  it('.gitignore and .github are ordinary files', () => {
    const policy = samplePolicy({ mode: 'trusted_folders' });
    for (const path of ['.gitignore', '.github/x.yml', 'a.git/x'])
      expect(decide(policy, writeCall(path), []).verdict).toBe('allow');
  });
});

describe('Agent notes (T9)', () => {
  it('need approval for each write by other tools, wherever they are', () => {
    const notes = '/home/me/.kennel/agents/guide/workspace/memory';
    const effect: Effect = { kind: 'write', path: `${notes}/people.md` };
    expect(decided(effect).verdict).toBe('allow');
    expect(decided(effect, { notes })).toMatchObject({ verdict: 'ask', by: 'never_auto' });
    expect(decided({ kind: 'read', path: `${notes}/people.md` }, { notes }).verdict).toBe('allow');
  });
});
