import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, type BridgeWorld, openBridgeWorld } from '../../../test/conformance/bridge-world.ts';
import { type BridgeClient, bridgeClient, newPerson } from '../../../test/fakes/bridge-client.ts';

let world: BridgeWorld;
let alice: BridgeClient;
let mallory: BridgeClient;

async function clientOf(slug: string): Promise<BridgeClient> {
  const crypto = await world.context.ports.loadCrypto();
  if (!crypto.ok) throw new Error(crypto.error.message);
  const now = () => world.clock.now();
  const deps = { crypto: crypto.value, random: world.context.ports.random, now };
  return bridgeClient(deps, newPerson(crypto.value, slug, now()));
}

const asked = async (ask: Ask): Promise<string> => {
  const { status, text } = await world.ask(ask);
  return `${status} ${text}`;
};
const list = (): Ask => alice.signed('GET', '/v1/agents');
const withHeader = (ask: Ask, name: string, value: string): Ask => ({
  ...ask,
  headers: { ...ask.headers, [name]: value },
});

async function pairUp(client: BridgeClient): Promise<void> {
  const { code } = world.window.open(null);
  expect(await asked(client.pair({ pairing_code: code }))).toMatch(/^200 /);
}

beforeAll(async () => {
  world = await openBridgeWorld();
  alice = await clientOf('alice-a62c');
  mallory = await clientOf('mallory-0666');
});
afterAll(() => world.close());

describe('Bridge pairing', () => {
  it('is refused without an open window, even with a valid signature (T3)', async () => {
    expect(await asked(alice.pair())).toBe('403 {"error":"pairing window closed"}');
  });

  it('window stays open for five minutes and one device (T3)', async () => {
    const { code } = world.window.open(null);
    await world.clock.advance(5 * 60_000);
    expect(await asked(alice.pair({ pairing_code: code }))).toMatch(/^403 .*closed/);
    await pairUp(alice);
    expect(await asked(mallory.pair())).toMatch(/^403 /);
    expect(await asked(list())).toBe('200 {"agents":[]}');
  });

  it('without a code accepts only the device that the operator named (T3)', async () => {
    world.window.open(alice.person.identity.deviceId);
    expect(await asked(mallory.pair())).toBe('403 {"error":"another device may pair"}');
    expect(await asked(mallory.pair({ pairing_code: '' }))).toBe('403 {"error":"another device may pair"}');
    expect(await asked(alice.pair())).toMatch(/^200 /);
  });

  it('always needs the code and closes the window after ten wrong ones (T3)', async () => {
    const { code } = world.window.open(null);
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await asked(mallory.pair())).toBe('403 {"error":"pairing code required"}');
    expect(await asked(alice.pair({ pairing_code: code }))).toMatch(/^200 /);
    const open = world.window.open(null);
    expect(open.failures).toBe(0);
    for (let n = 0; n < 10; n += 1) {
      expect(await asked(mallory.pair({ pairing_code: wrong }))).toMatch(/"wrong pairing code"|closed/);
    }
    expect(world.window.state()).toBeNull();
    expect(world.told).toContain('too many failures');
    expect(await asked(mallory.pair({ pairing_code: open.code }))).toMatch(/^403 .*closed/);
  });

  it('shows people only their own agents (T3)', async () => {
    await pairUp(alice);
    expect(await asked(alice.provision('hers-0001'))).toMatch(/^201 /);
    expect(await asked(list())).toContain('hers-0001');
    await pairUp(mallory);
    expect(await asked(mallory.signed('GET', '/v1/agents'))).toBe('200 {"agents":[]}');
    await pairUp(alice);
    expect(world.context.agents.delete('hers-0001')).toMatchObject({ ok: true });
  });

  it('with another person is reported and ends the earlier pairing', async () => {
    await pairUp(alice);
    await pairUp(mallory);
    expect(world.told).toContain('paired mallory-0666 instead of alice-a62c');
    expect(await asked(list())).toBe('401 {"error":"not the paired identity"}');
    await pairUp(alice);
  });

  it('file is readable only by the owner, and a damaged one pairs no device', async () => {
    await pairUp(alice);
    const { pairing: path } = world.context.layout;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const content = readFileSync(path, 'utf8');
    writeFileSync(path, content.slice(0, 100));
    expect(await asked(list())).toBe('401 {"error":"not paired"}');
    writeFileSync(path, content.replace(/("device_signing_public_key": ")[^"]*/, '$1AAAA'));
    expect(await asked(list())).toBe('401 {"error":"paired device pubkey corrupt"}');
    writeFileSync(path, content);
    expect(await asked(list())).toBe('200 {"agents":[]}');
  });

  it('accepts a device id only if it matches the hash of the device key', async () => {
    world.window.open(null);
    const { deviceCert } = mallory.person.identity;
    const posing = { ...deviceCert, device_id: alice.person.identity.deviceId };
    expect(await asked(mallory.pair({ device_cert: posing }))).toMatch(/^400 .*device_cert/);
    world.window.close();
  });
});

describe('Bridge request checks', () => {
  it('refuse every foreign Host header (T1)', async () => {
    const ours = /^(127\.0\.0\.1|localhost)(:(63387|\d+))?$/i;
    const names = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.constantFrom(
        'localhost.evil.example',
        '127.0.0.1.nip.io',
        '[::1]',
        'localhost:1',
        '127.1',
        '0.0.0.0',
      ),
    );
    await fc.assert(
      fc.asyncProperty(names, async (host) => {
        if (ours.test(host) && !host.endsWith(':1')) return;
        expect(await asked(withHeader(list(), 'Host', host))).toBe('403 invalid host');
      }),
      { numRuns: 60 },
    );
  });

  it('refuse unknown origins and non-JSON bodies despite a valid signature (T2)', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://chat.puffo.ai.evil.example']) {
      expect(await asked(withHeader(list(), 'Origin', origin))).toBe('403 {"error":"origin not allowed"}');
    }
    expect(await asked(withHeader(list(), 'Origin', 'https://chat.puffo.ai'))).toMatch(/^200 /);
    const form = withHeader(alice.signed('POST', '/v1/agents', {}), 'content-type', 'text/plain');
    expect(await asked(form)).toMatch(/^415 /);
  });

  it('refuse a signed request after any changed byte, path, method or timestamp (T5)', async () => {
    const path = '/v1/agents/helper/runtime';
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 127 }), async (at, by) => {
        const ask = alice.signed('PATCH', path, { model: 'm1' });
        const body = Buffer.from(String(ask.body));
        const index = at % body.length;
        body[index] = (body[index] ?? 0) ^ by;
        expect(await asked({ ...ask, body })).toBe('401 {"error":"signature verification failed"}');
      }),
      { numRuns: 40 },
    );
    const ask = alice.signed('PATCH', path, { model: 'm1' });
    expect(await asked({ ...ask, path: `${path}?x=1` })).toMatch(/^401 /);
    expect(await asked({ ...ask, method: 'POST' })).toMatch(/^401 /);
    expect(await asked(withHeader(ask, 'x-puffo-timestamp', String(world.clock.now() + 1)))).toMatch(/^401 /);
  });

  it('show strangers only the service name, and allowed pages the pairing state (T4)', async () => {
    const ask = { method: 'GET', path: '/v1/info', headers: { Host: '127.0.0.1:63387' }, body: '' };
    expect(await asked(ask)).toBe('200 {"service":"puffo-agent-bridge","version":"v1"}');
    const page = await world.ask(withHeader(ask, 'Origin', 'https://chat.puffo.ai'));
    expect(JSON.parse(page.text)).toMatchObject({ paired: true, agent_count: expect.any(Number) });
  });

  it('refuse strangers, replays and wrong origins before reading the body (T24, F12)', async () => {
    const halfSent = (ask: Ask): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(world.port, '127.0.0.1');
        const lines = Object.entries({ ...ask.headers, 'Content-Length': '5000000' });
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        socket.write(`POST ${ask.path} HTTP/1.1\r\n${head}\r\n{`);
        socket.once('data', (data) => {
          socket.destroy();
          resolve(String(data).split('\r\n')[0] ?? '');
        });
      });
    const ask = alice.signed('POST', '/v1/agents', {});
    const stranger = { ...ask, headers: { Host: '127.0.0.1:63387', 'Content-Type': 'application/json' } };
    expect(await halfSent(stranger)).toContain('401');
    expect(await halfSent(withHeader(ask, 'Origin', 'https://evil.example'))).toContain('403');
    expect(await asked(ask)).not.toMatch(/^401/);
    expect(await halfSent(ask)).toContain('401');
    expect(await halfSent(mallory.pair())).toContain('403');
    world.window.open(null);
    expect(await halfSent(alice.pair())).toContain('413');
    world.window.close();
  });

  it('refuse a replayed nonce, also after a restart (T5)', async () => {
    const ask = list();
    expect(await asked(ask)).toMatch(/^200 /);
    expect(await asked(ask)).toBe('401 {"error":"nonce already used"}');
    const again = await openBridgeWorld({ home: world.home });
    await again.clock.advance(world.clock.now() - again.clock.now());
    const { status, text } = await again.ask(ask);
    expect(`${status} ${text}`).toBe('401 {"error":"nonce already used"}');
    await again.close();
  });

  it('do not consume a nonce if the signature is invalid', async () => {
    const ask = list();
    const forged = withHeader(ask, 'x-puffo-signature', list().headers?.['x-puffo-signature'] ?? '');
    expect(await asked(forged)).toMatch(/^401 /);
    expect(await asked(ask)).toMatch(/^200 /);
  });

  it('refuse too large and too deeply nested bodies (T24)', async () => {
    const deep = `{"display_name":${'['.repeat(100)}${']'.repeat(100)}}`;
    const ask = alice.signed('POST', '/v1/agents', JSON.parse(deep));
    expect(await asked(ask)).toBe('400 {"error":"body must be JSON"}');
    const signed = withHeader(list(), 'Content-Type', 'application/json');
    const large = { ...signed, method: 'POST', body: 'x'.repeat(8 * 1024 * 1024 + 1) };
    await expect(asked(large)).resolves.toMatch(/^413 /);
  });
});

describe('Agent provisioned over the bridge', () => {
  const secrets = ['root_secret_key', 'device_signing_secret_key', 'kem_secret_key'];
  it.each(secrets)('is refused if the %s does not match its certificates', async (name) => {
    const other = alice.person.identity.secrets.root;
    const swapped = Buffer.from(other).toString('base64url');
    const ask = alice.provision('helper-9a7c', (body) => ({
      ...body,
      identity_bundle: { ...body.identity_bundle, [name]: swapped },
    }));
    expect(await asked(ask)).toBe(`400 {"error":"${name} does not belong to the certificates"}`);
    expect(world.context.agents.list()).toEqual([]);
  });

  it('may be limited by its device, but not let act without asking (T8)', async () => {
    const refused = '400 {"error":"permission_mode acceptEdits can only be set in Kennel"}';
    const loose = { permission_mode: 'acceptEdits' };
    const born = alice.provision('helper-9a7c', (body) => ({
      ...body,
      runtime: { ...(body.runtime as object), ...loose },
    }));
    expect(await asked(born)).toBe(refused);
    expect(world.context.agents.list()).toEqual([]);
    expect(await asked(alice.provision('limited-1234'))).toMatch(/^201 /);
    const change = (body: object) => asked(alice.signed('PATCH', '/v1/agents/limited-1234/runtime', body));
    expect(await change(loose)).toBe(refused);
    expect(await change({ permission_mode: 'plan' })).toMatch(/^200 /);
    expect(await asked(alice.signed('DELETE', '/v1/agents/limited-1234'))).toMatch(/^2/);
  });

  it('is refused if it names another operator', async () => {
    const theirs = mallory.provision('helper-9a7c');
    const body: unknown = JSON.parse(String(theirs.body));
    expect(await asked(alice.signed('POST', '/v1/agents', body))).toMatch(
      /^400 .*does not match paired operator/,
    );
  });

  it('keeps its keys in the vault and shows its files only to its owner', async () => {
    expect(await asked(alice.provision('helper-9a7c'))).toMatch(/^201 /);
    const agent = '/v1/agents/helper-9a7c';
    expect(await asked(alice.signed('GET', `${agent}/files`))).toMatch(/^200 /);
    const { secrets: vault, layout } = world.context;
    expect(vault.keys()?.loadIdentity(layout.agentKeys('helper-9a7c'), 'helper-9a7c').ok).toBe(true);
    await pairUp(mallory);
    expect(await asked(mallory.signed('GET', `${agent}/files`))).toMatch(/^403 /);
    expect(await asked(mallory.signed('GET', `${agent}/files/raw?path=x`))).toMatch(/^403 /);
    expect(await asked(mallory.signed('GET', agent))).toMatch(/"api_key":null/);
    await pairUp(alice);
  });

  it('shows no files if its workspace contains keys (T14)', async () => {
    for (const folder of ['.', 'keys', '..', '/']) {
      const written = world.context.agents.readConfig('helper-9a7c');
      const yaml = written.ok
        ? written.value.yaml.replace(/workspace_dir: .*/, `workspace_dir: ${folder}`)
        : '';
      expect(world.context.agents.writeConfig('helper-9a7c', yaml).ok).toBe(true);
      expect(await asked(alice.signed('GET', '/v1/agents/helper-9a7c/files'))).toMatch(/escapes workspace/);
    }
  });
});
