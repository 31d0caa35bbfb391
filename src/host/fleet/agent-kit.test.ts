import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { nodePorts } from '../node-ports.ts';
import { toolRoots } from './agent-kit.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kennel-kit-'));
const home = path.join(folder, 'data');
const agent = { folder: path.join(home, 'agents', 'a') };
const workspace = path.join(agent.folder, 'workspace');
mkdirSync(home, { recursive: true });
symlinkSync(home, path.join(folder, 'link'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function rootsFor(bash: object, env: Record<string, string> = {}) {
  const ports = await nodePorts({ home, env, mode: 'look', serveWeb: false });
  return toolRoots({ ports: { ...ports, env } }, agent, agentConfigSchema.parse({ bash }));
}

describe('folders of an agent', () => {
  it('are its workspace and what agent.yml and the environment add', async () => {
    expect(await rootsFor({})).toEqual({ cwd: workspace, readable: [workspace], writable: [workspace] });
    const roots = await rootsFor(
      { allowed_roots: ['sub', '~/projects'], writable_roots: ['/srv/out'] },
      { POP_AGENT_BASH_ALLOWED_ROOTS: '/srv/in' },
    );
    expect(roots.readable).toEqual([
      workspace,
      path.join(workspace, 'sub'),
      path.join(os.homedir(), 'projects'),
      '/srv/in',
    ]);
    expect(roots.writable).toEqual([workspace, '/srv/out']);
  });

  it.each([
    ['the data folder', home],
    ['what holds it', folder],
    ['everything', '/'],
    ['another agent', path.join(home, 'agents', 'b', 'workspace')],
    ['its own keys', path.join(agent.folder, 'keys')],
    ['a way back', '../../..'],
    ['a link to it', path.join(folder, 'link')],
  ])('T14 never hold %s', async (_name, root) => {
    const roots = await rootsFor({ allowed_roots: [root], writable_roots: [root] });
    expect(roots).toEqual({ cwd: workspace, readable: [workspace], writable: [workspace] });
  });
});
