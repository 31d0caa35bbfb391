import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { callTool } from '../../../../test/fakes/call-tool.ts';
import { createSeededRandom } from '../../../../test/fakes/seeded-random.ts';
import { textError } from '../../../contract/errors.ts';
import { err, ok } from '../../../contract/result.ts';
import type { RuntimeKind } from '../../../contract/runtime-kinds.ts';
import { createDisk } from '../../disk/disk.ts';
import { createConfinedFiles } from '../confined/confined-files.ts';
import { createInstalledRecord } from './installed.ts';
import { createRefreshTools } from './refresh-tools.ts';
import { createServerTools } from './server-tools.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function rig(kind: RuntimeKind = 'chat-local') {
  const folder = mkdtempSync(path.join(tmpdir(), 'kennel-servers-'));
  made.push(folder);
  const cwd = path.join(folder, 'workspace');
  mkdirSync(cwd);
  const file = path.join(cwd, '.mcp.json');
  const tools = createServerTools({
    files: createConfinedFiles({ cwd, readable: [cwd], writable: [cwd] }),
    record: createInstalledRecord(path.join(folder, 'installed.json'), createDisk(createSeededRandom(1))),
    kind: () => kind,
    systemServers: () => ['host'],
  });
  return {
    file,
    servers: () => JSON.parse(readFileSync(file, 'utf8')).mcpServers,
    call: (name: string, args: object = {}, meanwhile?: () => void) =>
      callTool(
        tools.find((tool) => tool.name === name),
        args as Record<string, unknown>,
        meanwhile,
      ),
  };
}

const db = { name: 'db', command: 'npx', args: ['-y', 'db-server'], env: { DB: 'x' } };

describe('MCP servers of an agent', () => {
  it('are added beside other servers, listed with their owner, and removed', async () => {
    const { call, file, servers } = rig();
    writeFileSync(file, JSON.stringify({ mcpServers: { theirs: { url: 'https://x' } }, more: 1 }));
    const { assessment } = await call('install_mcp_server', db);
    expect(assessment).toMatchObject({ risk: 'high', effects: [{ kind: 'write', path: file }] });
    expect(assessment.preview.body).toContain('db-server');
    expect(servers()).toEqual({
      theirs: { url: 'https://x' },
      db: { command: 'npx', args: ['-y', 'db-server'], env: { DB: 'x' } },
    });
    expect((await call('list_mcp_servers')).text.split('\n')).toEqual([
      'theirs (system): another kind of server',
      'db (agent): npx -y db-server',
      'host (system)',
    ]);
    await call('uninstall_mcp_server', { name: 'db' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { theirs: { url: 'https://x' } },
      more: 1,
    });
    expect((await call('uninstall_mcp_server', { name: 'db' })).assessment.blocked?.reason).toBe('not_found');
  });

  it.each(['theirs', 'host', 'puffo'])('keep %s, which the agent does not own', async (name) => {
    const { call, file } = rig();
    const before = JSON.stringify({ mcpServers: { theirs: { command: 'x' } } });
    writeFileSync(file, before);
    expect((await call('install_mcp_server', { ...db, name })).assessment.blocked?.reason).toBe('conflict');
    expect((await call('uninstall_mcp_server', { name })).assessment.blocked?.reason).toBe('conflict');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('are refused if available on one computer only, except for agents that run there', async () => {
    const onHost = { name: 'x', command: '/Users/me/x' };
    const { call, file } = rig();
    expect((await call('install_mcp_server', onHost)).assessment.blocked?.reason).toBe('forbidden');
    expect(existsSync(file)).toBe(false);
    const local = rig('cli-local');
    await local.call('install_mcp_server', onHost);
    expect(local.servers()).toEqual({ x: { command: '/Users/me/x' } });
  });

  it('leave a file unchanged that is unreadable or has changed since the preview', async () => {
    const { call, file } = rig();
    writeFileSync(file, '{ broken');
    expect((await call('install_mcp_server', db)).assessment.blocked?.reason).toBe('corrupt');
    rmSync(file);
    const theirs = JSON.stringify({ mcpServers: {} });
    const { output } = await call('install_mcp_server', db, () => writeFileSync(file, theirs));
    expect(output?.isError).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(theirs);
  });
});

describe('Model change by the agent', () => {
  function model() {
    let now = '';
    const tools = createRefreshTools({
      path: '/data/agents/a/agent.yml',
      model: () => now,
      check: (name) => (name === 'bad' ? err(textError('invalid_input', 'No such model.')) : ok(undefined)),
      use: async (name) => {
        now = name;
        return ok(undefined);
      },
    });
    return {
      now: () => now,
      call: (name: string, args = {}) =>
        callTool(
          tools.find((tool) => tool.name === name),
          args,
        ),
    };
  }

  it('is a high-risk settings change shown with the old model; a refresh without a model is low risk', async () => {
    const { call, now } = model();
    expect((await call('refresh')).assessment).toMatchObject({ risk: 'low', effects: [] });
    expect((await call('refresh', { model: null })).output?.isError).toBeUndefined();
    expect((await call('reload_system_prompt')).text).toContain('next one');
    const { assessment } = await call('refresh', { model: 'larger' });
    expect(assessment).toMatchObject({
      risk: 'high',
      effects: [{ kind: 'write', path: '/data/agents/a/agent.yml' }],
      preview: { body: expect.stringContaining('Now: the default\nThen: larger') },
    });
    expect(now()).toBe('larger');
    expect((await call('refresh', { model: 'bad' })).assessment.blocked?.message).toContain('No such model');
    expect(now()).toBe('larger');
  });
});
