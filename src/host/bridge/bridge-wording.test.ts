import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, type BridgeWorld, openBridgeWorld } from '../../../test/conformance/bridge-world.ts';
import { type BridgeClient, bridgeClient, newPerson } from '../../../test/fakes/bridge-client.ts';

let world: BridgeWorld;
let alice: BridgeClient;
let mallory: BridgeClient;

const asked = async (ask: Ask): Promise<string> => {
  const { status, text } = await world.ask(ask);
  return `${status} ${text}`;
};
const refused = (status: number, error: string): string => `${status} ${JSON.stringify({ error })}`;

beforeAll(async () => {
  world = await openBridgeWorld();
  const crypto = await world.context.ports.loadCrypto();
  if (!crypto.ok) throw new Error(crypto.error.message);
  const now = () => world.clock.now();
  const deps = { crypto: crypto.value, random: world.context.ports.random, now };
  const clientOf = (slug: string) => bridgeClient(deps, newPerson(crypto.value, slug, now()));
  [alice, mallory] = [clientOf('alice-a62c'), clientOf('mallory-0666')];
  const { code } = world.window.open(null);
  expect(await asked(alice.pair({ pairing_code: code }))).toMatch(/^200 /);
  expect(await asked(alice.provision('helper-9a7c'))).toMatch(/^201 /);
});
afterAll(() => world.close());

describe('Paired device', () => {
  it('pairs again without a window, a code or a notification', async () => {
    expect(world.window.state()).toBeNull();
    const told = [...world.told];
    await world.clock.advance(1_000);
    expect(JSON.parse((await world.ask(alice.pair())).text)).toEqual({
      paired_slug: 'alice-a62c',
      paired_device_id: alice.person.identity.deviceId,
      paired_at: world.clock.now(),
    });
    expect(world.told).toEqual(told);
  });

  it('leaves a window open that was opened for another device', async () => {
    world.window.open(null);
    expect(await asked(alice.pair())).toMatch(/^200 /);
    expect(world.window.state()).not.toBeNull();
    world.window.close();
  });

  it('T3: is identified by its keys, not by its names', async () => {
    expect(await asked(mallory.pair())).toBe(refused(403, 'pairing window closed'));
    const { identityCert, deviceCert } = alice.person.identity;
    const ask = mallory.pair({
      identity_cert: identityCert,
      device_cert: deviceCert,
      slug_binding: alice.person.binding,
    });
    const names = {
      'x-puffo-slug': 'alice-a62c',
      'x-puffo-signer-id': alice.person.identity.deviceId,
    };
    const forged = { ...ask, headers: { ...ask.headers, ...names } };
    expect(await asked(forged)).toBe(refused(400, 'signature: signature verification failed'));
    const own = mallory.pair();
    const posing = { ...own, headers: { ...own.headers, ...names } };
    expect(await asked(posing)).toBe(refused(400, 'slug_binding.slug does not match x-puffo-slug'));
  });
});

describe('Bridge compatibility with version 0.8', () => {
  type Body = Record<string, unknown> & {
    readonly identity_bundle: Record<string, unknown>;
    readonly puffo_core: Record<string, unknown>;
  };
  const changed = (change: (body: Body) => object): Promise<string> =>
    asked(alice.provision('other-1234', (body) => change(body as unknown as Body) as typeof body));

  it('keeps the errors of an invalid provision request', async () => {
    for (const name of ['identity_bundle', 'puffo_core', 'runtime']) {
      const without = await changed((body) => ({ ...body, [name]: undefined }));
      expect(without).toBe(refused(400, 'identity_bundle, puffo_core, and runtime are required'));
    }
    const missing =
      'identity_bundle missing one of identity_cert/device_cert/operator_attestation/slug_binding';
    for (const name of ['identity_cert', 'device_cert', 'operator_attestation', 'slug_binding']) {
      const bundle = { [name]: 'text' };
      const without = await changed((body) => ({
        ...body,
        identity_bundle: { ...body.identity_bundle, ...bundle },
      }));
      expect(without).toBe(refused(400, missing));
    }
    const human = await changed((body) => ({
      ...body,
      identity_bundle: { ...body.identity_bundle, identity_cert: alice.person.identity.identityCert },
    }));
    expect(human).toBe(refused(400, "identity_cert.identity_type must be 'agent'"));
    const core = await changed((body) => ({ ...body, puffo_core: { ...body.puffo_core, space_id: ' ' } }));
    expect(core).toBe(refused(400, 'puffo_core block must include server_url, slug, device_id, space_id'));
  });

  it('keeps the errors for changes that only the owner may make', async () => {
    const config = world.context.agents.readConfig('helper-9a7c');
    if (!config.ok) throw new Error('no config');
    const { code } = world.window.open(null);
    expect(await asked(mallory.pair({ pairing_code: code }))).toMatch(/^200 /);
    const agent = '/v1/agents/helper-9a7c';
    const runtime = await asked(mallory.signed('PATCH', `${agent}/runtime`, {}));
    expect(runtime).toBe(refused(403, "only the agent's operator can edit runtime"));
    const profile = await asked(mallory.signed('PATCH', `${agent}/profile`, {}));
    expect(profile).toBe(refused(403, "only the agent's operator can edit profile"));
    const own = world.window.open(null);
    expect(await asked(alice.pair({ pairing_code: own.code }))).toMatch(/^200 /);
  });

  it('keeps the note for an agent that is already paused or running', async () => {
    const agent = '/v1/agents/helper-9a7c';
    const noteOf = async (verb: string): Promise<unknown> =>
      (JSON.parse((await world.ask(alice.signed('POST', `${agent}/${verb}`))).text) as { note: unknown })
        .note;
    expect(await noteOf('resume')).toBe('already running');
    expect(await noteOf('pause')).not.toMatch(/^already/);
    expect(await noteOf('pause')).toBe('already paused');
    expect(await noteOf('resume')).not.toMatch(/^already/);
  });

  it('returns an empty api_key to the owner if none is set', async () => {
    const agent = '/v1/agents/helper-9a7c';
    const keyOf = async (): Promise<unknown> =>
      (JSON.parse((await world.ask(alice.signed('GET', agent))).text) as { runtime: unknown }).runtime;
    expect(await keyOf()).toMatchObject({ api_key: 'sk-ant-of-helper', api_key_set: true });
    expect(await asked(alice.signed('PATCH', `${agent}/runtime`, { api_key: '' }))).toMatch(/^200 /);
    expect(await keyOf()).toMatchObject({ api_key: '', api_key_set: false });
  });

  it('lists links as their targets, only inside the workspace (T14)', async () => {
    const workspace = path.join(world.home, 'agents', 'helper-9a7c', 'workspace');
    mkdirSync(path.join(workspace, 'notes'), { recursive: true });
    writeFileSync(path.join(workspace, 'notes', 'a.md'), 'hi\n');
    symlinkSync('notes', path.join(workspace, 'also-notes'));
    symlinkSync('notes/a.md', path.join(workspace, 'b.md'));
    symlinkSync('/etc', path.join(workspace, 'etc'));
    symlinkSync('../agent.yml', path.join(workspace, 'config'));
    symlinkSync('nowhere', path.join(workspace, 'dangling'));
    const files = '/v1/agents/helper-9a7c/files';
    const { entries } = JSON.parse((await world.ask(alice.signed('GET', files))).text) as {
      entries: readonly { name: string; kind: string; size: number }[];
    };
    expect(entries.map(({ name, kind, size }) => [name, kind, size])).toEqual([
      ['also-notes', 'dir', 0],
      ['notes', 'dir', 0],
      ['b.md', 'file', 3],
    ]);
    expect(await asked(alice.signed('GET', `${files}/raw?path=b.md`))).toBe('200 hi\n');
    expect(await asked(alice.signed('GET', `${files}/raw?path=config`))).toBe(
      refused(400, 'path escapes workspace'),
    );
    expect(await asked(alice.signed('GET', `${files}/raw?path=none`))).toBe(refused(404, 'file not found'));
    expect(await asked(alice.signed('GET', `${files}/raw?path=notes`))).toBe(refused(404, 'file not found'));
  });
});
