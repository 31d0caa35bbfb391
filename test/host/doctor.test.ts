import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { findProgram, pathFolders } from '../../src/platform/find-program.ts';
import { loginShellPath } from '../../src/services/executors/login-shell.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { newHome, startHost, type TestHost } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let kennel: TestHost | null = null;
const servers: Server[] = [];

beforeEach(() => {
  folder = newHome();
});
afterEach(async () => {
  await kennel?.stop();
  kennel = null;
  for (const server of servers.splice(0)) server.close();
  folder.remove();
});

/** A server that answers every request with 404 and this `Date` (ms since the epoch). */
async function serverAt(date?: number): Promise<number> {
  const server = createServer((_request, response) => {
    if (date !== undefined) response.setHeader('date', new Date(date).toUTCString());
    response.writeHead(404).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function agentAt(serverUrl: string): void {
  const agent = path.join(folder.home, 'agents', 'ada');
  mkdirSync(agent, { recursive: true });
  const core = `puffo_core: {server_url: '${serverUrl}', slug: ada-0001}`;
  writeFileSync(path.join(agent, 'agent.yml'), `id: ada\nstate: paused\n${core}\n`);
  writeFileSync(path.join(agent, 'profile.md'), '# Ada\n');
}

async function found(env: Record<string, string> = {}) {
  kennel = await startHost(folder.home, { mode: 'look', env });
  const { checks } = await kennel.call('host.doctor', {});
  return (id: string) => inEnglish(checks.find((check) => check.id.startsWith(id)));
}

it('The doctor reports whether servers answer and how far the clock is off (T29)', async () => {
  const port = await serverAt(Date.now() - 6 * 60_000);
  agentAt(`http://127.0.0.1:${port}`);
  const check = await found();
  expect(check('reach-')).toMatchObject({ status: 'ok' });
  expect(check('clock')).toMatchObject({ status: 'fail', detail: 'It is 6 minutes ahead of the server.' });
});

it('The doctor accepts a correct clock and names an unreachable server', async () => {
  agentAt(`http://127.0.0.1:${await serverAt(Date.now())}`);
  expect((await found())('clock')).toMatchObject({ status: 'ok' });
  await kennel?.stop();
  for (const server of servers.splice(0)) server.close();
  const check = await found();
  expect(check('reach-')).toMatchObject({ status: 'warn' });
  expect(check('clock')).toBeUndefined();
});

it('The doctor names a port that another program uses', async () => {
  const port = await serverAt();
  writeFileSync(path.join(folder.home, 'daemon.yml'), `bridge: {port: ${port}}\n`);
  expect((await found())(`port-${port}`)).toMatchObject({ status: 'warn' });
});

it.skipIf(process.platform === 'win32')(
  'The doctor names programs that only the login shell finds',
  async () => {
    const tools = path.join(folder.home, 'tools');
    mkdirSync(tools);
    for (const name of ['claude', 'shell']) writeFileSync(path.join(tools, name), '');
    writeFileSync(
      path.join(tools, 'shell'),
      `#!/bin/sh\necho a greeting\nPATH=${tools}:/usr/bin:/bin\n[ "$1" = -l ] && eval "$3"\n`,
    );
    for (const name of ['claude', 'shell']) chmodSync(path.join(tools, name), 0o700);
    const shell = path.join(tools, 'shell');
    const check = await found({ SHELL: shell, PATH: '/usr/bin:/bin' });
    expect(check('path')).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('also finds claude') as string,
    });
    expect(await loginShellPath(shell, {})).toBe(`${tools}:/usr/bin:/bin`);
    expect(await loginShellPath('/nowhere/sh', {})).toBeNull();
    expect(findProgram('claude', pathFolders(`relative:${tools}`))).toBe(path.join(tools, 'claude'));
  },
);

it('The doctor reports which process holds the data folder', async () => {
  expect((await found())('lock')).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('free') as string,
  });
  await kennel?.stop();
  kennel = await startHost(folder.home);
  const { checks } = await kennel.call('host.doctor', {});
  expect(englishText(checks.find(({ id }) => id === 'lock')?.detail ?? '')).toContain(`pid ${process.pid}`);
});

it('The doctor reports disk, each agent, and whether the model server answers', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'tiny-1b' }] }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  agentAt('http://127.0.0.1:9');
  const file = path.join(folder.home, 'agents', 'ada', 'agent.yml');
  const runtime = `{provider: lmstudio, model: tiny-1b, base_url: 'http://127.0.0.1:${port}/v1'}`;
  writeFileSync(file, `${readFileSync(file, 'utf8')}runtime: ${runtime}\n`);
  const host = await startHost(folder.home);
  kennel = host;
  const look = async (id: string) =>
    inEnglish((await host.call('host.doctor', {})).checks.find((check) => check.id === id));
  const free = expect.stringMatching(/^[\d.]+ [MGT]B free$/) as string;
  expect(await look('disk')).toMatchObject({ detail: free });
  expect(await look('agent-ada')).toMatchObject({
    status: 'ok',
    detail: 'Not connected to a server yet.',
  });
  expect(await look('model-lmstudio')).toMatchObject({
    status: 'ok',
    detail: 'It answers and lists 1 model.',
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await look('model-lmstudio')).toMatchObject({ status: 'fail' });
});
