import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuthStatus } from '../../src/contract/work.ts';
import { createMemoryKeychain } from '../fakes/memory-keychain.ts';
import { type OAuthServer, openOAuthServer } from '../fakes/oauth-server.ts';
import { answerTo, newHome, startHost, type TestHost, until } from './host-rig.ts';

const folders: ReturnType<typeof newHome>[] = [];
const running: TestHost[] = [];
const home = (): string => {
  const folder = newHome();
  folders.push(folder);
  return folder.home;
};
async function start(where: string, over: Parameters<typeof startHost>[1] = {}): Promise<TestHost> {
  const kennel = await startHost(where, over);
  running.push(kennel);
  return kennel;
}
afterEach(async () => {
  for (const kennel of running.splice(0)) await kennel.stop();
  for (const folder of folders.splice(0)) folder.remove();
});

/** Contents of all files below a folder, as text. */
const allBytes = (folder: string): string =>
  readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');

describe('Provider login of the host', () => {
  let server: OAuthServer;
  beforeEach(async () => {
    server = await openOAuthServer();
  });
  afterEach(() => server.close());

  function writeSettings(folder: string): void {
    const { client_id, authorize_url, token_url, revoke_url } = server.settings;
    const lines = { client_id, authorize_url, token_url, revoke_url };
    const own = Object.entries(lines).map(([key, value]) => `    ${key}: ${value}`);
    writeFileSync(path.join(folder, 'daemon.yml'), ['logins:', '  openrouter:', ...own, ''].join('\n'));
  }
  const status = async (kennel: TestHost): Promise<AuthStatus | undefined> =>
    (await kennel.call('auth.status', {})).providers.find(({ provider }) => provider === 'openrouter');
  async function logIn(kennel: TestHost): Promise<void> {
    const { url, loginId } = await kennel.call('auth.login', { provider: 'openrouter' });
    await fetch(server.approve(url));
    const { done, status: now } = await kennel.call('auth.wait', { loginId });
    expect([done, now?.state, now?.account]).toEqual([true, 'logged_in', 'ada@example.org']);
  }

  it('stores its tokens encrypted, survives a restart, and is revoked by logging out (T18)', async () => {
    const folder = home();
    writeSettings(folder);
    const keychain = createMemoryKeychain();
    const first = await start(folder, { loadKeychain: async () => keychain });
    expect(await status(first)).toMatchObject({ state: 'none', kinds: ['api_key', 'login'] });
    await logIn(first);
    await first.stop();
    expect(allBytes(folder)).not.toMatch(/access-1|refresh-1/);
    const second = await start(folder, { loadKeychain: async () => keychain });
    expect(await status(second)).toMatchObject({ state: 'logged_in', account: 'ada@example.org' });
    expect(await second.call('auth.logout', { provider: 'openrouter' })).toEqual({ note: '' });
    expect([(await status(second))?.state, server.revoked]).toEqual(['none', ['refresh-1']]);
    await second.stop();
    expect(readFileSync(path.join(folder, 'secrets.json'), 'utf8')).not.toContain('login:');
  });

  it('is rejected before opening a browser if tokens cannot be stored safely (T20)', async () => {
    const folder = home();
    writeSettings(folder);
    const kennel = await start(folder);
    expect(await kennel.tryCall('auth.login', { provider: 'openrouter' })).toMatchObject({
      error: { code: 'insecure_storage' },
    });
    expect(await kennel.tryCall('auth.login', { provider: 'anthropic' })).toMatchObject({
      error: { code: 'unsupported', hint: expect.stringContaining('API key') },
    });
    expect(await kennel.tryCall('auth.login', { provider: 'nobody' })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(await kennel.tryCall('auth.wait', { loginId: 'none' })).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  it('gives agents its token and renews an expiring one', async () => {
    const folder = home();
    writeSettings(folder);
    server.rules.expiresIn = 30;
    const bearer: string[] = [];
    const keychain = createMemoryKeychain();
    const kennel = await start(folder, {
      loadKeychain: async () => keychain,
      fetch: async (input, init) => {
        if (!String(input).includes('openrouter.ai')) return fetch(input, init);
        bearer.push(new Headers(init?.headers).get('authorization') ?? '');
        const choices = [{ message: { content: 'through the login' }, finish_reason: 'stop' }];
        return Response.json({ id: `r${bearer.length}`, choices });
      },
    });
    await kennel.call('setup.tryDemo', {});
    await logIn(kennel);
    server.rules.expiresIn = 3_600;
    await kennel.call('agents.setRuntime', { agent: 'guide', provider: 'openrouter', model: 'x/y' });
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'hello' });
    expect((await answerTo(kennel, sent.roomId, sent.messageId)).text).toContain('through the login');
    expect(bearer[0]).toBe('Bearer access-2');
  });
});

describe('Stream proxy of the host', () => {
  const settings = (enabled: boolean, more = ''): string =>
    `stream_proxy:\n  enabled: ${enabled}\n  port: 0\n${more}`;
  const ask = (url: string, token: string, origin?: string) =>
    fetch(`${url}/api/stream`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(origin ? { origin } : {}),
      },
      body: JSON.stringify({
        model: { provider: 'scripted', id: '' },
        context: { messages: [{ role: 'user', content: 'hi' }] },
      }),
    });
  const newToken = (kennel: TestHost, name: string) => kennel.call('proxy.newToken', { name });
  /** Waits until the proxy listens; the token created meanwhile is valid. */
  const listening = (kennel: TestHost) =>
    until('the listener', async () => {
      const made = await newToken(kennel, `probe-${performance.now()}`);
      return !made.url.endsWith(':0') && made;
    });

  it('is off unless daemon.yml enables it, follows the file, and rejects revoked tokens (T1, T18)', async () => {
    const folder = home();
    const file = path.join(folder, 'daemon.yml');
    writeFileSync(file, settings(false));
    const kennel = await start(folder);
    const { token } = await newToken(kennel, 'laptop');
    expect(token).toMatch(/^kennel_[\w-]{43}$/);
    expect(await kennel.tryCall('proxy.newToken', { name: 'laptop' })).toMatchObject({
      error: { code: 'conflict' },
    });
    expect((await newToken(kennel, 'second')).url).toMatch(/:0$/);
    writeFileSync(file, settings(true));
    const { url } = await listening(kennel);
    expect((await ask(url, token)).status).toBe(200);
    expect((await ask(url, `${token}x`)).status).toBe(401);
    expect((await ask(url, token, url)).status).toBe(403);
    await kennel.call('proxy.revoke', { name: 'laptop' });
    expect((await ask(url, token)).status).toBe(401);
    const { tokens } = await kennel.call('proxy.tokens', {});
    expect(tokens.map(({ name }) => name)).toContain('second');
    expect(allBytes(folder)).not.toContain(token);
    writeFileSync(file, settings(false));
    await until('the end of the listener', () =>
      ask(url, token).then(
        () => undefined,
        () => true,
      ),
    );
  });

  it('does not listen beyond this machine, and reports that as a problem', async () => {
    const folder = home();
    writeFileSync(path.join(folder, 'daemon.yml'), settings(true, '  bind_host: 0.0.0.0\n'));
    const kennel = await start(folder);
    const { problems } = await until('the problem', async () => {
      const view = await kennel.call('host.view', {});
      return view.problems.some(({ id }) => id === 'stream-proxy') && view;
    });
    expect(problems.find(({ id }) => id === 'stream-proxy')?.message).toContain('this machine only');
  });

  it('serves a model to an agent of another host that has no key', async () => {
    const here = home();
    writeFileSync(path.join(here, 'daemon.yml'), settings(true));
    const thinking = await start(here);
    const { url, token } = await listening(thinking);
    const thin = await start(home(), { env: { KENNEL_PASSPHRASE: 'a passphrase of some length' } });
    await thin.call('setup.tryDemo', {});
    await thin.call('agents.setRuntime', {
      agent: 'guide',
      provider: 'kennel-proxy',
      baseUrl: url,
      model: 'scripted/',
      apiKey: token,
    });
    const sent = await thin.call('chat.send', { to: 'guide', text: 'echo from afar' });
    expect((await answerTo(thin, sent.roomId, sent.messageId)).text).toContain('from afar');
  });
});
