import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemoryKeychain } from '../fakes/memory-keychain.ts';
import { type BridgePeer, bridgePeer, newcomer, type PeerAnswer } from '../peers/bridge-peer.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = newHome();
const origin = 'https://chat.puffo.ai';
const operator = newcomer('paula-1234', null);
const helper = newcomer('helper-9a7c', operator);
let kennel: TestHost;
let peer: BridgePeer;
let url = '';

beforeAll(async () => {
  mkdirSync(folder.home, { recursive: true });
  writeFileSync(path.join(folder.home, 'daemon.yml'), 'bridge:\n  port: 0\n');
  const keychain = createMemoryKeychain();
  kennel = await startHost(folder.home, { loadKeychain: async () => keychain });
  // A client of 0.8 does not know pairing codes: the operator names its device instead.
  url = (await kennel.call('bridge.openPairing', { device: operator.deviceId })).url;
  peer = bridgePeer(url, operator, origin);
});
afterAll(async () => {
  await kennel.stop();
  folder.remove();
});

const agentsOf = async (): Promise<readonly Record<string, unknown>[]> =>
  ((await peer.ask('GET', '/v1/agents')).json as { agents: Record<string, unknown>[] }).agents;
const answered = ({ status, json }: PeerAnswer): unknown => ({ status, json });
const agent = '/v1/agents/helper-9a7c';

it('A client written from the specification alone finds the host and pairs', async () => {
  const info = await fetch(`${url}/v1/info`, { headers: { origin } });
  expect(info.headers.get('access-control-allow-origin')).toBe(origin);
  expect(await info.json()).toMatchObject({ service: 'puffo-agent-bridge', version: 'v1', paired: false });
  const preflight = await fetch(`${url}${agent}`, { method: 'OPTIONS', headers: { origin } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-private-network')).toBe('true');
  expect(answered(await peer.ask('GET', '/v1/agents'))).toEqual({
    status: 401,
    json: { error: 'not paired' },
  });
  expect(answered(await peer.pair())).toMatchObject({ status: 200, json: { paired_slug: 'paula-1234' } });
  expect(await agentsOf()).toEqual([]);
});

it('The client provisions an agent and sees it running', async () => {
  expect(await peer.provision(helper, '# Agent Profile\n\n# Soul\n\nBe kind.\n')).toMatchObject({
    status: 201,
    json: { agent_id: 'helper-9a7c', agent_dir: path.join(folder.home, 'agents', 'helper-9a7c') },
  });
  const row = await until('the agent to run', async () => {
    const [only] = await agentsOf();
    return only?.runtime_status === 'running' && only;
  });
  expect(row).toMatchObject({
    id: 'helper-9a7c',
    owned: true,
    profile_summary: 'Be kind.',
    state: 'running',
  });
  expect((await peer.ask('GET', agent)).json).toMatchObject({
    runtime: { api_key: 'sk-ant-of-the-peer', api_key_set: true },
    runtime_state: { status: 'running' },
  });
  const yaml = readFileSync(path.join(folder.home, 'agents', 'helper-9a7c', 'agent.yml'), 'utf8');
  expect(yaml).not.toContain('sk-ant');
});

it('The client restarts the agent', async () => {
  const flag = path.join(folder.home, 'agents', 'helper-9a7c', '.puffo-agent', 'restart.flag');
  expect((await peer.ask('POST', `${agent}/restart`)).json).toMatchObject({
    agent_id: 'helper-9a7c',
    ok: true,
  });
  await until('the restart', () => !existsSync(flag));
  await until('the agent to run', async () => (await agentsOf())[0]?.runtime_status === 'running');
});

it('The client edits the agent, reads its files, pauses and deletes it', async () => {
  const picture = Buffer.from('89504e470d0a1a0a00000000', 'hex').toString('base64');
  const profile = {
    display_name: 'Helping',
    role: 'coder: all day',
    profile_summary: 'New.',
    avatar_bytes_b64: picture,
  };
  expect((await peer.ask('PATCH', `${agent}/profile`, profile)).json).toMatchObject({
    display_name: 'Helping',
    role_short: 'coder',
    profile_summary: 'New.',
    warning: expect.any(String),
  });
  const text = { avatar_bytes_b64: Buffer.from('<svg onload=x>').toString('base64') };
  expect((await peer.ask('PATCH', `${agent}/profile`, text)).status).toBe(400);
  const runtime = await peer.ask('PATCH', `${agent}/runtime`, { max_turns: 5, api_key: '' });
  expect(runtime.json).toMatchObject({ runtime: { max_turns: 5, api_key_set: false } });
  writeFileSync(path.join(folder.home, 'agents', 'helper-9a7c', 'workspace', 'a b.md'), 'ä\n');
  expect((await peer.ask('GET', `${agent}/files/raw?path=a%20b.md`)).json).toBe('ä\n');
  expect((await peer.ask('POST', `${agent}/pause`)).json).toMatchObject({ state: 'paused', ok: true });
  await until('the pause', async () => (await agentsOf())[0]?.runtime_status === 'stopped');
  expect((await peer.ask('DELETE', agent)).json).toMatchObject({ agent_id: 'helper-9a7c', ok: true });
  await until('the end', async () => (await kennel.call('agents.list', {})).agents.length === 0);
  expect(answered(await peer.ask('GET', agent))).toEqual({ status: 404, json: { error: 'agent not found' } });
});

it('The client unpairs and is rejected afterwards', async () => {
  expect((await peer.ask('DELETE', '/v1/pairing')).json).toEqual({ disconnected: true });
  expect((await kennel.call('bridge.status', {})).paired).toBeNull();
  const after = await peer.ask('GET', '/v1/agents').catch(() => null);
  const said: unknown = after ? after.json : { error: 'not paired' };
  expect(said).toEqual({ error: 'not paired' });
});
