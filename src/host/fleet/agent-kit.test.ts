import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { toolContext } from '../../../test/fakes/tool-context.ts';
import { textError } from '../../contract/errors.ts';
import { err } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createToolBroker } from '../../services/code/tool-broker.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { bashSettings } from '../../services/tools/restricted-commands/bash-limits.ts';
import { nodePorts } from '../node-ports.ts';
import { createAgentFolders } from './agent-folders.ts';
import { createKitSource, noMessaging } from './agent-kit.ts';
import { createWorkTools } from './work-tools.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kennel-kit-'));
const home = path.join(folder, 'data');
const agent = { folder: path.join(home, 'agents', 'a') };
const workspace = path.join(agent.folder, 'workspace');
mkdirSync(home, { recursive: true });
symlinkSync(home, path.join(folder, 'link'));
const noWorkflows = () => Promise.reject(new Error('no workflow is run here'));
const noPuppy = {
  look: noWorkflows,
  run: noWorkflows,
  state: noWorkflows,
  cancel: noWorkflows,
  ask: noWorkflows,
};
const noProcess: ProcessPort = { run: () => Promise.reject(new Error('nothing runs here')) };
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rootsOf(yaml: object, env: Record<string, string> = {}, workingDir = '') {
  const log = createRecordingLog();
  const folders = createAgentFolders({ home, env, log, workingDir: () => workingDir });
  return folders.roots(agent, agentConfigSchema().parse(yaml));
}
const rootsFor = (bash: object, env: Record<string, string> = {}) => rootsOf({ bash }, env);

describe('Agent folder roots', () => {
  it('are the workspace plus roots from agent.yml and the environment', async () => {
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
    ['', '', workspace],
    ['', '/srv/shared', '/srv/shared'],
    ['', '~/shared', path.join(os.homedir(), 'shared')],
    ['workspace', '/srv/shared', workspace],
    ['/srv/own', '/srv/shared', '/srv/own'],
  ])('workspace_dir %j and working_dir %j resolve to %s', async (own, shared, cwd) => {
    expect(await rootsOf({ workspace_dir: own }, {}, shared)).toEqual({
      cwd,
      readable: [cwd],
      writable: [cwd],
    });
  });

  it.each([
    ['the data folder', home],
    ['what holds it', folder],
    ['everything', '/'],
    ['another agent', path.join(home, 'agents', 'b', 'workspace')],
    ['its own keys', path.join(agent.folder, 'keys')],
    ['a way back', '../../..'],
    ['a link to it', path.join(folder, 'link')],
  ])('T14 never include %s', async (_name, root) => {
    const roots = await rootsFor({ allowed_roots: [root], writable_roots: [root] });
    expect(roots).toEqual({ cwd: workspace, readable: [workspace], writable: [workspace] });
  });
});

const gone = err(textError('not_found', 'none'));
const noTasks = {
  self: 'a',
  whom: () => gone,
  add: async () => gone,
  list: async () => gone,
  show: async () => gone,
};

describe('Agent tools', () => {
  const none = { config: null, lastGood: null, error: null, requests: [] };
  const loaded: LoadedAgent = { ...agent, ...none, id: 'a' };
  async function kit(limits: { command: number; workingDir: string }, workspaceDir: string) {
    const { clock, random, log } = await nodePorts({ home, env: {}, mode: 'look', serveWeb: false });
    const shared = {
      folders: createAgentFolders({ home, env: {}, log, workingDir: () => limits.workingDir }),
      disk: createDisk(random),
      clock,
      commands: {
        process: noProcess,
        sandbox: null,
        commandSeconds: () => limits.command,
        broker: createToolBroker(),
        codeEngine: async () => {
          throw new Error('no code runs here');
        },
        limits: () => bashSettings({}, {}),
      },
      features: {
        work: createWorkTools({ puppy: () => noPuppy, tasks: () => noTasks }),
        servers: async () => [],
      },
      covered: (tool: Tool) => tool,
    };
    return createKitSource({
      shared: async () => shared,
      agent: () => loaded,
      config: () => agentConfigSchema().parse({ workspace_dir: workspaceDir }),
      messaging: { ...noMessaging, sentHere: () => null },
      consent: {
        gate: { check: () => Promise.reject(new Error('nothing is asked here')) },
        waitingFor: () => null,
      },
      log,
    });
  }

  it('are cached until a daemon.yml setting changes', async () => {
    const limits = { command: 30, workingDir: '' };
    const source = await kit(limits, '');
    const first = (await source()).tools[0];
    expect((await source()).tools[0]).toBe(first);
    limits.command = 5;
    const second = (await source()).tools[0];
    expect(second).not.toBe(first);
    limits.workingDir = path.join(folder, 'shared');
    expect((await source()).tools[0]).not.toBe(second);
    expect(existsSync(limits.workingDir)).toBe(true);
  });

  it('exist even if the workspace cannot be created, and report missing files', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    const source = await kit({ command: 30, workingDir: '' }, path.join(folder, 'file', 'workspace'));
    const { tools } = await source();
    const list = tools.find(({ name }) => name === 'list_dir');
    const assessed = await list?.assess({ path: '.' }, toolContext());
    expect(assessed?.blocked?.message).toContain('There is no such file or folder.');
  });
});
