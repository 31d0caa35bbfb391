import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/create-host.ts';
import { type BridgeClient, bridgeClient, newPerson } from '../fakes/bridge-client.ts';
import { createMemoryKeychain } from '../fakes/memory-keychain.ts';
import { newHome, startHost, type TestHost, testPorts, until } from './host-rig.ts';

const places: { remove(): void }[] = [];
const hosts: TestHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
  for (const place of places.splice(0)) place.remove();
});

function homeWith(bridge: string): string {
  const place = newHome();
  places.push(place);
  mkdirSync(place.home, { recursive: true });
  writeFileSync(path.join(place.home, 'daemon.yml'), `bridge:\n  ${bridge}\n`);
  return place.home;
}

async function hostIn(home: string): Promise<TestHost> {
  const keychain = createMemoryKeychain();
  const host = await startHost(home, { loadKeychain: async () => keychain });
  hosts.push(host);
  return host;
}

async function clientFor(home: string): Promise<BridgeClient> {
  const { loadCrypto, random } = await testPorts(home);
  const crypto = await loadCrypto();
  if (!crypto.ok) throw new Error(crypto.error.message);
  const deps = { crypto: crypto.value, random, now: () => Date.now() };
  return bridgeClient(deps, newPerson(crypto.value, 'alice-a62c', Date.now()));
}

async function send(url: string, ask: ReturnType<BridgeClient['signed']>): Promise<Response> {
  const { Host: _, ...headers } = ask.headers ?? {};
  const body = ask.body === '' ? {} : { body: String(ask.body) };
  return fetch(`${url}${ask.path}`, { method: ask.method, headers, ...body });
}

describe('Operator of this computer', () => {
  it('is the only one who may pair; an earlier client cannot pair again (T3)', async () => {
    const home = homeWith('port: 0');
    const host = await hostIn(home);
    const alice = await clientFor(home);
    const before = await host.call('bridge.openPairing', {});
    expect((await send(before.url, alice.pair({ pairing_code: before.code }))).status).toBe(200);
    await host.call('setup.tryDemo', {});
    expect(await (await send(before.url, alice.signed('GET', '/v1/agents'))).text()).toContain('not paired');
    const { url, code } = await host.call('bridge.openPairing', {});
    const refused = await send(url, alice.pair({ pairing_code: code }));
    expect([refused.status, await refused.text()]).toEqual([
      403,
      '{"error":"only the operator of this computer may pair"}',
    ]);
    const named = await host.call('bridge.openPairing', { device: alice.person.identity.deviceId });
    expect((await send(named.url, alice.pair())).status).toBe(403);
  });
});

describe('Local bridge of a running host', () => {
  it('does not listen before setup or for the demo (T4)', async () => {
    const host = await hostIn(homeWith('port: 0'));
    expect((await host.call('bridge.status', {})).url).toBeNull();
    await host.call('setup.tryDemo', {});
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const { url, note } = await host.call('bridge.status', {});
    expect({ url, note }).toEqual({ url: null, note: expect.stringContaining('kennel pairing open') });
  });

  it('pairs a client that provisions and deletes a running agent, then unpairs it (T3)', async () => {
    const home = homeWith('port: 0');
    const host = await hostIn(home);
    const alice = await clientFor(home);
    const { url, code } = await host.call('bridge.openPairing', {});
    expect(code).toMatch(/^\d{6}$/);
    expect((await send(url, alice.pair({ pairing_code: code }))).status).toBe(200);
    expect(await host.call('bridge.status', {})).toMatchObject({
      window: null,
      paired: { slug: 'alice-a62c' },
    });
    const { problems } = await host.call('host.view', {});
    expect(problems.map(({ message }) => message)).toContain(
      'A device of alice-a62c may manage its agents here now.',
    );

    expect((await send(url, alice.provision('helper-9a7c'))).status).toBe(201);
    const tries = async () => (await host.call('agents.get', { agent: 'helper-9a7c' })).life === 'running';
    await until('the agent to run', tries);
    const prompt = await send(url, alice.signed('GET', '/v1/agents/helper-9a7c/claude-md'));
    expect(await prompt.text()).toContain('# Your role');
    expect((await send(url, alice.signed('POST', '/v1/agents/helper-9a7c/archive'))).status).toBe(200);
    await until('the archive', async () => (await host.call('agents.list', {})).agents.length === 0);

    expect(await host.call('bridge.unpair', {})).toEqual({ slug: 'alice-a62c' });
    const after = await send(url, alice.signed('GET', '/v1/agents')).catch(() => null);
    expect(after?.status ?? 401).toBe(401);
  });

  it('accepts the paired device after a restart', async () => {
    const home = homeWith('port: 0');
    const alice = await clientFor(home);
    const first = await hostIn(home);
    const { url, code } = await first.call('bridge.openPairing', {});
    await send(url, alice.pair({ pairing_code: code }));
    await first.stop();
    const second = await hostIn(home);
    const again = await until(
      'the bridge',
      async () => (await second.call('bridge.status', {})).url ?? false,
    );
    expect((await send(again, alice.signed('GET', '/v1/agents'))).status).toBe(200);
  });

  it('reports a taken port as a warning while everything else runs', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const taken = other.address();
    const port = typeof taken === 'object' && taken ? taken.port : 0;
    const host = await hostIn(homeWith(`port: ${port}`));
    const opened = await host.tryCall('bridge.openPairing', {});
    expect(opened.ok ? '' : opened.error.message).toContain(`port ${port}`);
    const { problems, state } = await host.call('host.view', {});
    expect(state).toBe('ready');
    expect(problems).toMatchObject([{ id: 'bridge', severity: 'warning' }]);
    await new Promise((resolve) => other.close(resolve));
    expect((await host.tryCall('bridge.openPairing', {})).ok).toBe(true);
  });

  it('listens on this machine only, and not at all when disabled', async () => {
    const open = await hostIn(homeWith('bind_host: 0.0.0.0'));
    const refused = await open.tryCall('bridge.openPairing', {});
    expect(refused.ok ? '' : refused.error.message).toContain('this machine only');
    const off = await hostIn(homeWith('enabled: false'));
    const closed = await off.tryCall('bridge.openPairing', {});
    expect(closed.ok ? '' : closed.error.message).toContain('switched off');
  });

  it('rejects an agent while its keys cannot be encrypted (T19, T20)', async () => {
    const home = homeWith('port: 0');
    const host = await startHost(home);
    hosts.push(host);
    const alice = await clientFor(home);
    const { url, code } = await host.call('bridge.openPairing', {});
    await send(url, alice.pair({ pairing_code: code }));
    const refused = await send(url, alice.provision('helper-9a7c'));
    expect(refused.status).toBe(500);
    expect(await refused.text()).toContain('choose a passphrase');
    expect((await host.call('agents.list', {})).agents).toEqual([]);
    await host.call('host.unlock', { passphrase: 'correct horse battery staple' });
    expect((await send(url, alice.provision('helper-9a7c'))).status).toBe(201);
  });

  it('forbids a paired device all methods outside its permissions', async () => {
    const home = homeWith('port: 0');
    const created = await createHost(await testPorts(home));
    if (!created.ok) throw new Error(created.error.message);
    const device = { kind: 'paired-device' } as const;
    for (const method of ['host.stop', 'approvals.decide', 'agents.delete', 'bridge.openPairing']) {
      const answer = await created.value.call(device, method, {});
      expect(answer.ok ? '' : answer.error.code, method).toBe('forbidden');
    }
    await created.value.stop('test');
  });
});
