import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { englishText } from '../../src/language/host-message.ts';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { createMemoryKeychain } from '../fakes/memory-keychain.ts';
import { type OAuthServer, openOAuthServer } from '../fakes/oauth-server.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { seed } from '../fakes/test-run.ts';
import { type Canaries, filesBelow, hits, spellings, watchProcesses } from './canary-search.ts';
import { answerTo, follow, newHome, startHost, type TestHost, testPorts, until } from './host-rig.ts';

const random = createSeededRandom(seed);
const canary = (what: string): string => `canary-${what}-${random.uuid().slice(-12)}`;

const planted = {
  'key of a provider': `sk-${canary('provider')}`,
  'key of an agent': `sk-${canary('agent')}`,
  'key in agent.yml': `sk-${canary('yaml')}`,
  'key in the environment': canary('environment-key'),
  'the environment': canary('environment'),
  'access token': canary('access'),
  'refresh token': canary('refresh'),
  'file outside': canary('outside'),
};
/** Belongs only into the encrypted stores and the messages of the room. */
const words = canary('words');

const place = newHome();
const beside = `${place.home}-beside`;
const keychain = createMemoryKeychain();
const seeds: Record<string, Uint8Array> = {};
const said = new Map<string, Buffer>();
const processes = watchProcesses();
let kennel: TestHost;
let server: OAuthServer;
let topics: ReturnType<typeof follow>[] = [];
let proxyToken = '';

const note = (where: string, what: unknown): void => {
  const text = typeof what === 'string' ? what : (JSON.stringify(what) ?? '');
  said.set(`${where} (${said.size})`, Buffer.from(text));
};

/** Wraps an engine so that it records each secret key. */
function listening(engine: CryptoEngine): CryptoEngine {
  const noting = (kind: string, secret: Uint8Array): void => {
    seeds[`${kind} key ${Buffer.from(secret).toString('hex').slice(0, 4)}`] = Uint8Array.from(secret);
  };
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'ed25519KeyPair' && name !== 'x25519KeyPair') {
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (seed?: Uint8Array) => {
        const pair = target[name](seed);
        noting(name.slice(0, -7), seed ?? pair.secret);
        return pair;
      };
    },
  });
}

/** A provider that repeats the API key and the prompt in its error response. */
const hostileFetch: typeof fetch = async (input, init) => {
  if (!String(input).includes('api.openai.com')) return fetch(input, init);
  note('request body to the provider', String(init?.body));
  const headers = JSON.stringify(Object.fromEntries(new Headers(init?.headers)));
  const asked = String(init?.body).includes(words) ? words : '';
  return Response.json({ error: { message: `${asked} refused, key: ${headers}` } }, { status: 400 });
};

function run(...args: string[]): Promise<string> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: place.home, KENNEL_HOME: place.home };
  const child = spawn(process.execPath, [kennelEntry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += String(piece)));
  return new Promise((resolve) =>
    child.on('close', () => {
      note(`kennel ${args.join(' ')}`, out);
      resolve(out);
    }),
  );
}

async function call(...[method, input]: Parameters<TestHost['tryCall']>): Promise<void> {
  note(method, await kennel.tryCall(method, input));
}

/** Sends the text to the agent and records the answer. */
async function tell(agent: string, text: string): Promise<string> {
  const sent = await kennel.call('chat.send', { to: agent, text });
  const answer = await answerTo(kennel, sent.roomId, sent.messageId);
  note(`answer to ${text.split(' ')[0]}`, answer);
  return answer.text;
}

async function question(title: string): Promise<Approval> {
  return until(`the question about ${title}`, async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    return approvals.find((approval) => englishText(approval.title).includes(title));
  });
}

const workspace = path.join(place.home, 'agents', 'guide', 'workspace');

function plantFiles(): void {
  mkdirSync(beside);
  writeFileSync(path.join(beside, 'secret.txt'), planted['file outside']);
  mkdirSync(workspace, { recursive: true });
  symlinkSync(path.join(beside, 'secret.txt'), path.join(workspace, 'link.txt'));
  symlinkSync(beside, path.join(workspace, 'folder'));
}

function writeSettings(): void {
  const { client_id, authorize_url, token_url, revoke_url } = server.settings;
  const own = Object.entries({ client_id, authorize_url, token_url, revoke_url });
  const logins = own.map(([key, value]) => `    ${key}: ${value}`);
  const lines = ['stream_proxy:', '  enabled: true', '  port: 0', 'logins:', '  openrouter:', ...logins, ''];
  writeFileSync(path.join(place.home, 'daemon.yml'), lines.join('\n'));
}

async function plantSecrets(): Promise<void> {
  await call('config.set', { provider: 'openai', apiKey: planted['key of a provider'] });
  const { url, loginId } = await kennel.call('auth.login', { provider: 'openrouter' });
  server.answerNext(200, {
    access_token: planted['access token'],
    refresh_token: planted['refresh token'],
    token_type: 'Bearer',
    expires_in: 3_600,
  });
  note('page after the login', await (await fetch(server.approve(url))).text());
  await call('auth.wait', { loginId });
  ({ token: proxyToken } = await kennel.call('proxy.newToken', { name: 'laptop' }));
  plantFiles();
  const { yaml } = await kennel.call('agents.readConfig', { agent: 'guide' });
  const typed = yaml.replace(/^(\s*)api_key: .*$/m, `$1api_key: ${planted['key in agent.yml']}`);
  expect(typed).toContain(planted['key in agent.yml']);
  const file = path.join(place.home, 'agents', 'guide', 'agent.yml');
  writeFileSync(file, typed);
  await until('the key to be taken', () => !readFileSync(file, 'utf8').includes('canary'));
}

beforeAll(async () => {
  server = await openOAuthServer();
  writeSettings();
  const env = {
    GEMINI_API_KEY: planted['key in the environment'],
    KENNEL_OTHER: planted['the environment'],
    KENNEL_LOG: 'debug',
  };
  Object.assign(process.env, env);
  const ports = await testPorts(place.home);
  const loadCrypto = async () => {
    const loaded = await ports.loadCrypto();
    return loaded.ok ? { ok: true as const, value: listening(loaded.value) } : loaded;
  };
  const loadKeychain = async () => keychain;
  kennel = await startHost(place.home, { env, loadKeychain, loadCrypto, fetch: hostileFetch });
  topics = ['host', 'agents', 'rooms', 'approvals'].map((topic) => follow(kennel.host, topic));
  await kennel.call('setup.tryDemo', {});
  await plantSecrets();
}, 60_000);

afterAll(async () => {
  processes.stop();
  await kennel.stop();
  await server.close();
  rmSync(beside, { recursive: true, force: true });
  place.remove();
  for (const name of ['GEMINI_API_KEY', 'KENNEL_OTHER', 'KENNEL_LOG']) delete process.env[name];
});

function everything(): Map<string, Buffer> {
  const seen = new Map([...said, ...processes.seen]);
  for (const topic of topics)
    for (const event of topic.events) seen.set(`feed ${seen.size}`, Buffer.from(JSON.stringify(event)));
  for (const [file, bytes] of filesBelow(place.home)) seen.set(`file ${file}`, bytes);
  return seen;
}

const secrets = (): Canaries => ({
  ...planted,
  ...seeds,
  'proxy token': proxyToken,
  ...Object.fromEntries([...keychain.items].map(([name, value]) => [`master key ${name}`, value])),
});

describe('Secret leak scan (T18)', () => {
  it('setup: agents work, ask, fail and are refused', async () => {
    const dm = await kennel.call('chat.send', { to: 'guide', text: `hello ${words}` });
    topics.push(follow(kennel.host, `room:${dm.roomId}`));
    await kennel.call('chat.send', { to: 'guide', text: 'write hello.md' });
    await run('approvals', 'allow', (await question('hello.md')).id);
    await kennel.call('chat.send', { to: 'guide', text: 'write never.md' });
    await run('approvals', 'deny', (await question('never.md')).id, 'not', 'today');
    for (const target of ['link.txt', 'folder/secret.txt', '../../../secrets.json', '/proc/self/environ'])
      await tell('guide', `read ${target}`);
    for (const cmd of [
      'cat folder/secret.txt',
      `rg canary ${beside}`,
      'find . -name hello.md',
      'rg -L canary .',
    ])
      await tell('guide', `run ${cmd}`);
    expect(await tell('guide', 'read hello.md')).toContain('hello');
    expect(await tell('guide', 'remember the weather')).toContain('into my notes');
    for (const recall of ['recall', 'recall weather'])
      expect(await tell('guide', recall)).toContain('the weather');
    await kennel.call('agents.setRuntime', {
      agent: 'checker',
      provider: 'openai',
      model: 'gpt-x',
      apiKey: planted['key of an agent'],
    });
    await kennel.call('chat.send', { to: 'checker', text: `hello ${words}` });
    await until('the failure', () => [...said.keys()].some((where) => where.startsWith('request body')));
    const failed = await until('its trace', async () => {
      const { error } = await kennel.call('agents.get', { agent: 'checker' });
      return error?.hint?.includes(words) && error;
    });
    expect(failed.message).not.toContain(words);
  }, 90_000);

  it('setup: every view is read through the terminal and the page connection', async () => {
    const all = await kennel.call('approvals.list', { state: 'all' });
    expect(all.approvals.length).toBeGreaterThan(1);
    note('approvals', all);
    for (const line of [
      'status --json',
      'doctor --json',
      'agent list --json',
      'agent show guide',
      'agent show checker --json',
      'agent tools guide --json',
      'approvals list --all --json',
      `approvals show ${all.approvals[0]?.id}`,
      'audit show --json --limit 500',
      'audit verify',
      'usage --json',
      'auth status --json',
      'proxy tokens',
      'config --json',
      'chat read guide --json',
      'chat read guide',
      'memory list guide',
      'operator show',
    ])
      await run(...line.split(' '));
    await call('host.view', {});
    await call('config.get', {});
    await call('agents.readConfig', { agent: 'checker' });
    await call('usage.get', {});
    await call('auth.status', {});
    await call('chat.serverView', { room: 'guide' });
    await call('agents.setRuntime', { agent: 'guide', apiKey: planted['key of an agent'], maxTurns: -1 });
    await call('proxy.newToken', { name: 'laptop' });
  }, 90_000);

  it('finds 0 secrets in files, log, output, feed and processes, and no plain-text messages', async () => {
    await kennel.stop();
    expect(Object.keys(seeds).length).toBeGreaterThan(5);
    expect(keychain.items.size).toBeGreaterThan(0);
    const seen = everything();
    const onLinux = process.platform === 'linux';
    expect([...seen.keys()].some((where) => where.startsWith('command line'))).toBe(onLinux);
    const found = hits(secrets(), seen);
    // A relay has no vault: its own store contains the key that signs its events.
    const relays = found.filter((hit) => hit.startsWith('file relay/relay.db: ed25519 key'));
    expect([found.filter((hit) => !relays.includes(hit)), relays.length]).toEqual([[], 1]);
    expect(hits({ words }, filesBelow(place.home))).toEqual([]);
    expect(hits({ words }, said)).not.toEqual([]);
  });

  it('detects a planted secret in any encoding and place', () => {
    for (const [name, secret] of Object.entries(secrets())) {
      const around = (form: Buffer) => Buffer.concat([Buffer.from('{"a":"'), form, Buffer.from('"}')]);
      const leaks = spellings(secret).map((form, index) => [`leak ${index}`, around(form)] as const);
      expect(hits({ [name]: secret }, new Map(leaks))).toEqual(leaks.map(([where]) => `${where}: ${name}`));
    }
    writeFileSync(path.join(place.home, 'logs', 'leak.log'), `x ${proxyToken}`);
    expect(hits(secrets(), everything())).toContain('file logs/leak.log: proxy token');
  });
});

describe('Host started with secrets in its environment (T18)', () => {
  it('leaks them neither to its output, its folder nor its child processes', async () => {
    const own = newHome();
    const given = {
      KENNEL_PASSPHRASE: canary('passphrase'),
      OPENAI_API_KEY: `sk-${canary('openai')}`,
      KENNEL_OTHER: canary('other'),
    };
    const watched = watchProcesses();
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: own.home, KENNEL_HOME: own.home, KENNEL_NO_KEYCHAIN: '1', KENNEL_LOG: 'debug' };
    const child = spawn(process.execPath, [kennelEntry, 'start', '--demo', '--no-web'], {
      env: { ...env, ...given },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += String(piece)));
    const ended = new Promise((resolve) => child.once('close', resolve));
    const started = until('the start', () => out.includes('Ctrl-C stops it'), 80_000);
    await started.finally(() => child.kill('SIGTERM'));
    await ended;
    watched.stop();
    // The process's own environment is the source of the secrets.
    const others = [...watched.seen].filter(([where]) => !where.startsWith('environment of'));
    const seen = new Map([...filesBelow(own.home), ...others, ['output', Buffer.from(out)]]);
    own.remove();
    expect(seen.has('logs/host.log')).toBe(true);
    expect(hits(given, seen)).toEqual([]);
  }, 100_000);
});
