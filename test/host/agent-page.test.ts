import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newHome, startHost, type TestHost } from './host-rig.ts';

const env = { KENNEL_PASSPHRASE: 'correct horse battery' };
const passphrase = 'four words are enough';
let folder: ReturnType<typeof newHome>;
const hosts: TestHost[] = [];
const servers: Server[] = [];

async function host(home = folder.home): Promise<TestHost> {
  const started = await startHost(home, { env: { ...env, HOME: home } });
  hosts.push(started);
  return started;
}

beforeEach(() => {
  folder = newHome();
});
afterEach(async () => {
  for (const one of hosts.splice(0)) await one.stop();
  for (const one of servers.splice(0)) one.close();
  folder.remove();
});

const agentFolder = (): string => path.join(folder.home, 'agents/ada');

it('The host keeps every soul version, also after edits on disk, and marks the current one', async () => {
  const { call, tryCall } = await host();
  await call('agents.create', { id: 'ada', soul: 'First.', register: false });
  await call('agents.edit', { agent: 'ada', soul: 'Second, with an ä.' });
  const profile = path.join(agentFolder(), 'profile.md');
  writeFileSync(profile, readFileSync(profile, 'utf8').replace('Second, with an ä.', 'By hand.'));
  await call('agents.edit', { agent: 'ada', soul: 'Fourth.' });
  await call('agents.edit', { agent: 'ada', displayName: 'Ada' });
  const { versions } = await call('agents.soulHistory', { agent: 'ada' });
  expect(versions.map(({ characters, current }) => [characters, current])).toEqual([
    [7, true],
    [8, false],
    [18, false],
    [6, false],
  ]);
  const souls = [];
  for (const { version } of versions)
    souls.push((await call('agents.soulVersion', { agent: 'ada', version })).soul);
  expect(souls).toEqual(['Fourth.', 'By hand.', 'Second, with an ä.', 'First.']);
  expect(await tryCall('agents.soulVersion', { agent: 'ada', version: 999 })).toMatchObject({
    error: { code: 'not_found' },
  });
});

it('The host lists the agent fields that are not yet synced to the server', async () => {
  const { call } = await host();
  await call('agents.create', { id: 'ada', register: false });
  expect(await call('agents.unsynced', { agent: 'ada' })).toEqual({ fields: [], since: null });
  await call('agents.edit', { agent: 'ada', displayName: 'Ada' });
  const { fields, since } = await call('agents.unsynced', { agent: 'ada' });
  expect(fields).toEqual(['displayName']);
  expect(since).toBeGreaterThan(0);
});

it('A channel rule set to null is removed', async () => {
  const { call } = await host();
  await call('agents.create', { id: 'ada', register: false, channels: { ch_a: 'never' } });
  await call('agents.setRuntime', { agent: 'ada', channels: { ch_b: 'all' } });
  await call('agents.setRuntime', { agent: 'ada', channels: { ch_a: null } });
  expect((await call('agents.get', { agent: 'ada' })).triggers.channels).toEqual({ ch_b: 'all' });
});

it('A folder is added for an agent, changed and removed; agent.yml holds it', async () => {
  const { call, tryCall } = await host();
  await call('agents.create', { id: 'ada', register: false });
  const yaml = () => readFileSync(path.join(agentFolder(), 'agent.yml'), 'utf8');
  const before = yaml();
  const outside = newHome();
  const notes = path.join(outside.home, 'notes');
  const listed = async () => (await call('agents.tools', { agent: 'ada' })).folders;
  const add = (named: string, mayWrite = false) =>
    tryCall('agents.addFolder', { agent: 'ada', path: named, mayWrite });
  expect(await add(notes)).toMatchObject({ error: { code: 'not_found' } });
  mkdirSync(notes, { recursive: true });
  expect(await add('notes')).toMatchObject({ error: { code: 'invalid_input', where: 'path' } });
  for (const kennels of [folder.home, path.dirname(folder.home), path.join(folder.home, 'agents')])
    expect(await add(kennels, true)).toMatchObject({ error: { code: 'forbidden' } });
  expect(yaml()).toBe(before);

  const workspace = { path: path.join(agentFolder(), 'workspace'), mayWrite: true, isRemovable: false };
  expect(await listed()).toEqual([workspace]);
  await call('agents.addFolder', { agent: 'ada', path: `${notes}/`, mayWrite: false });
  expect(await listed()).toEqual([workspace, { path: notes, mayWrite: false, isRemovable: true }]);
  await call('agents.addFolder', { agent: 'ada', path: notes, mayWrite: true });
  expect(await listed()).toEqual([workspace, { path: notes, mayWrite: true, isRemovable: true }]);
  expect(yaml()).toContain(notes);
  // A folder that is gone can still be removed.
  outside.remove();
  await call('agents.removeFolder', { agent: 'ada', path: notes });
  expect(await listed()).toEqual([workspace]);
  expect(yaml()).not.toContain(notes);
});

it('The host serves workspace files and nothing outside the workspace (T14)', async () => {
  const { call, tryCall } = await host();
  await call('agents.create', { id: 'ada', register: false });
  const workspace = path.join(agentFolder(), 'workspace');
  mkdirSync(path.join(workspace, 'notes'), { recursive: true });
  const long = 'x'.repeat(400 * 1024);
  writeFileSync(path.join(workspace, 'a.txt'), long);
  writeFileSync(path.join(workspace, 'notes/plan.md'), '# Plan');
  symlinkSync('../agent.yml', path.join(workspace, 'way-out'));
  const { entries, more } = await call('agents.files', { agent: 'ada' });
  expect(more).toBe(false);
  expect(entries.map(({ name, kind }) => [name, kind])).toEqual([
    ['notes', 'folder'],
    ['a.txt', 'file'],
    ['way-out', 'link'],
  ]);
  const first = await call('agents.file', { agent: 'ada', path: 'a.txt' });
  expect([first.size, first.done]).toEqual([long.length, false]);
  const offset = Buffer.from(first.base64, 'base64').length;
  const rest = await call('agents.file', { agent: 'ada', path: 'a.txt', offset });
  expect([offset + Buffer.from(rest.base64, 'base64').length, rest.done]).toEqual([long.length, true]);
  expect((await call('agents.files', { agent: 'ada', path: 'notes' })).entries).toHaveLength(1);
  for (const out of ['way-out', '../agent.yml', '../../../host.json', path.join(agentFolder(), 'agent.yml')])
    expect((await tryCall('agents.file', { agent: 'ada', path: out })).ok, out).toBe(false);
  for (const out of ['..', '../keys', '/'])
    expect((await tryCall('agents.files', { agent: 'ada', path: out })).ok, out).toBe(false);
});

async function modelServer(answer: (request: IncomingMessage) => [number, string]): Promise<string> {
  const server = createServer((request, response) => {
    const [status, text] = answer(request);
    response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end(text);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

it('The model list uses the stored key only for the saved address', async () => {
  const asked: (string | undefined)[] = [];
  const url = await modelServer(({ headers, url: at }) => {
    asked.push(headers.authorization);
    return at === '/v1/models' ? [200, '{"data":[{"id":"qwen"},{"id":"llama"},{"id":"qwen"}]}'] : [404, ''];
  });
  const { call } = await host();
  await call('agents.create', {
    id: 'ada',
    register: false,
    provider: 'openai-compatible',
    baseUrl: `${url}/v1`,
    apiKey: 'sk-secret-1',
  });
  const ask = { agent: 'ada', provider: 'openai-compatible' };
  expect((await call('models.list', ask)).models.map(({ id }) => id)).toEqual(['llama', 'qwen']);
  await call('models.list', ask);
  expect(asked, 'the second answer is a remembered one').toEqual(['Bearer sk-secret-1']);
  await call('models.list', { ...ask, fresh: true });
  await call('models.list', { ...ask, baseUrl: `${url}/` });
  await call('models.list', { ...ask, baseUrl: `${url}/`, apiKey: 'sk-typed' });
  expect(asked.slice(1)).toEqual(['Bearer sk-secret-1', undefined, 'Bearer sk-typed']);
});

it('A failed model list reports its reason', async () => {
  const { tryCall } = await host();
  const why = async (answer: [number, string], more: object = {}) => {
    const baseUrl = await modelServer(() => answer);
    const result = await tryCall('models.list', {
      provider: 'openai',
      baseUrl,
      apiKey: 'sk-typed-key',
      ...more,
    });
    expect(JSON.stringify(result)).not.toContain('sk-typed-key');
    return result.ok ? 'ok' : result.error.code;
  };
  expect(await why([401, '{"error":{"message":"sk-typed-key is wrong"}}'])).toBe('unauthenticated');
  expect(await why([404, ''])).toBe('not_found');
  expect(await why([200, '<html>'])).toBe('protocol');
  expect(await why([302, ''])).not.toBe('ok');
  expect(await why([503, ''])).toBe('unavailable');
  expect(await why([200, ''], { baseUrl: 'http://127.0.0.1:9' })).toBe('unavailable');
  expect(await why([200, ''], { provider: 'kennel-proxy' })).toBe('unsupported');
  expect(await tryCall('models.list', { provider: 'anthropic' })).toMatchObject({
    error: { code: 'unauthenticated' },
  });
  expect(await tryCall('models.list', { provider: 'antropic' })).toMatchObject({
    error: { code: 'invalid_input' },
  });
});

async function fetchPacked(kennel: TestHost, transferId: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let offset = 0, done = false; !done; ) {
    const piece = await kennel.call('bundles.piece', { transferId, offset });
    pieces.push(Buffer.from(piece.base64, 'base64'));
    offset += pieces.at(-1)?.length ?? 0;
    done = piece.done;
  }
  return Buffer.concat(pieces);
}

async function bring(kennel: TestHost, bytes: Buffer): Promise<string> {
  const { transferId } = await kennel.call('bundles.bring', { size: bytes.length });
  for (let offset = 0; offset < bytes.length; offset += 300_000)
    await kennel.call('bundles.bringPiece', {
      transferId,
      offset,
      base64: bytes.subarray(offset, offset + 300_000).toString('base64'),
    });
  return transferId;
}

it('An agent is exported and imported through a page alone, without leftover files (T18)', async () => {
  const first = await host();
  await first.call('agents.create', { id: 'ada', soul: 'Dry and exact.', register: false });
  writeFileSync(path.join(agentFolder(), 'workspace/big.bin'), Buffer.alloc(900_000, 'kennel'));
  expect(await first.tryCall('bundles.pack', { agent: 'ada', kind: 'bundle', passphrase })).toMatchObject({
    error: { code: 'conflict' },
  });
  await first.call('agents.pause', { agent: 'ada' });
  const packed = await first.call('bundles.pack', { agent: 'ada', kind: 'bundle', passphrase });
  expect(packed.filename).toBe('ada.puffoagent');
  const bytes = await fetchPacked(first, packed.transferId);
  expect(bytes.length).toBe(packed.size);
  await first.call('bundles.forget', { transferId: packed.transferId });
  expect(readdirSync(path.join(folder.home, 'transfers'))).toEqual([]);
  await first.stop();
  const elsewhere = newHome();
  try {
    const second = await host(elsewhere.home);
    const transferId = await bring(second, bytes);
    const locked = await second.tryCall('bundles.reviewBrought', { transferId });
    expect(locked).toMatchObject({ error: { code: 'locked', hint: 'Write its passphrase.' } });
    const { digest, agents } = await second.call('bundles.reviewBrought', { transferId, passphrase });
    expect(agents).toMatchObject([{ id: 'ada', soul: 'Dry and exact.', problem: '' }]);
    const stale = { transferId, passphrase, digest: 'another' };
    expect(await second.tryCall('bundles.importBrought', stale)).toMatchObject({
      error: { code: 'conflict' },
    });
    const done = await second.call('bundles.importBrought', { transferId, passphrase, digest, as: 'bea' });
    expect(done.agents).toMatchObject([{ from: 'ada', id: 'bea', imported: true }]);
    expect((await second.call('agents.readConfig', { agent: 'bea' })).yaml).toContain('state: paused');
    expect(readdirSync(path.join(elsewhere.home, 'transfers'))).toEqual([]);
  } finally {
    await hosts.pop()?.stop();
    elsewhere.remove();
  }
});

it('An upload is accepted only in order and complete; a start deletes unfinished transfers (F26)', async () => {
  const kennel = await host();
  const { transferId } = await kennel.call('bundles.bring', { size: 6 });
  const piece = (offset: number, text: string) =>
    kennel.tryCall('bundles.bringPiece', {
      transferId,
      offset,
      base64: Buffer.from(text).toString('base64'),
    });
  expect((await piece(3, 'def')).ok).toBe(false);
  expect((await piece(0, 'abc')).ok).toBe(true);
  expect((await piece(3, 'defg')).ok).toBe(false);
  expect(await kennel.tryCall('bundles.reviewBrought', { transferId })).toMatchObject({
    error: { code: 'conflict' },
  });
  expect((await kennel.tryCall('bundles.bring', { size: 2 ** 40 })).ok).toBe(false);
  await kennel.stop();
  expect(readdirSync(path.join(folder.home, 'transfers'))).toHaveLength(1);
  const again = await host();
  expect(readdirSync(folder.home)).not.toContain('transfers');
  expect((await again.tryCall('bundles.piece', { transferId })).ok).toBe(false);
  rmSync(path.join(folder.home, 'transfers'), { recursive: true, force: true });
});
