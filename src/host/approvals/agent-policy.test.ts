import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { writeCall } from '../../../test/fakes/policy-samples.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { decide } from '../../core/policy/evaluate-policy.ts';
import { agentPolicy } from './agent-policy.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-policy-')));
const folder = join(home, 'agents', 'guide');
const daemon = { mode: null, rules: [], approval_hours: 24 };
const policyOf = (yaml: object, env = {}) =>
  agentPolicy(
    { folder },
    agentConfigSchema().parse({ policy: { mode: 'trusted_folders' }, ...yaml }),
    daemon,
    {
      home,
      env,
      workingDir: '',
    },
  );
const write = (path: string, yaml: object = {}, env = {}) => decide(policyOf(yaml, env), writeCall(path), []);

afterEach(() => rmSync(home, { recursive: true, force: true }));

it('An agent may write to its workspace and to roots from agent.yml and the environment', () => {
  expect(write(join(folder, 'workspace', 'a')).verdict).toBe('allow');
  expect(write('/srv/out/a').by).toBe('never_auto');
  expect(write('/srv/out/a', { bash: { writable_roots: ['/srv/out'] } }).verdict).toBe('allow');
  expect(write(join(homedir(), 'out', 'a'), { bash: { writable_roots: ['~/out'] } }).verdict).toBe('allow');
  expect(write('/srv/out/a', {}, { POP_AGENT_BASH_WRITABLE_ROOTS: '/srv/out' }).verdict).toBe('allow');
});

it.each([
  ['the whole disk', { bash: { writable_roots: ['/'] } }],
  ["the agent's own folder as its workspace", { workspace_dir: '.' }],
  ["Kennel's folder as its workspace", { workspace_dir: '../..' }],
  ["another agent's folder as its workspace", { workspace_dir: '../other' }],
])('Kennel’s own files need approval even if an agent is given %s', (_what, yaml) => {
  for (const path of [
    'agents/guide/agent.yml',
    'agents/guide/keys/k',
    'agents/other/agent.yml',
    'master.json',
  ])
    expect(write(join(home, path), yaml)).toMatchObject({ verdict: 'ask', by: 'never_auto' });
});
