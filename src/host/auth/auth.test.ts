import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OAuthServer, openOAuthServer } from '../../../test/fakes/oauth-server.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import type { LoginInfo } from '../../core/models/logins.ts';
import type { ApiKeys, KeyScope } from '../../services/vault/api-keys.ts';
import { createLoginFlows, type LoginStarted } from './login-flows.ts';
import { createLoginStore } from './login-store.ts';
import { createTokenKeeper } from './token-keeper.ts';

let server: OAuthServer;
beforeEach(async () => {
  server = await openOAuthServer();
});
afterEach(() => server.close());

function memoryKeys(): ApiKeys & { readonly kept: Map<KeyScope, string> } {
  const kept = new Map<KeyScope, string>();
  return {
    kept,
    get: (scope) => ok(kept.get(scope) ?? null),
    has: (scope) => kept.has(scope),
    set: (scope, key) => ok(void kept.set(scope, key)),
    delete: (scope) => ok(void kept.delete(scope)),
  };
}

function rig(change: Partial<LoginInfo> = {}) {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const secrets: string[] = [];
  const stored = memoryKeys();
  const store = createLoginStore({ stored, addSecret: (secret) => secrets.push(secret) });
  const info: LoginInfo = { ...server.settings, provider: 'vllm', kind: 'oauth', ...change };
  const keeper = createTokenKeeper({ clock, fetch, log, store, loginInfo: () => ok(info) });
  const flows = createLoginFlows({ clock, fetch, keeper });
  const begin = async (device = false): Promise<LoginStarted> => {
    const started = await flows.start(info, device);
    if (!started.ok) throw new Error(started.error.message);
    return started.value;
  };
  const logIn = async (): Promise<void> => {
    const { url, loginId } = await begin();
    expect((await fetch(server.approve(url))).status).toBe(200);
    expect(await flows.wait(loginId, 60_000)).toMatchObject({ ok: true, value: { provider: 'vllm' } });
  };
  const record = () => JSON.parse(stored.kept.get('login:vllm') ?? 'null') as Record<string, unknown> | null;
  const refreshes = () => server.asked.filter(({ body }) => body.grant_type === 'refresh_token').length;
  return { clock, log, secrets, stored, store, info, keeper, flows, begin, logIn, record, refreshes };
}

describe('Browser login', () => {
  it('sends a PKCE challenge and a state, and stores the exchanged tokens', async () => {
    const { begin, logIn, record, secrets, clock } = rig();
    const query = new URL((await begin()).url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      client_id: 'kennel-test',
      code_challenge_method: 'S256',
      scope: 'models offline',
    });
    expect(query.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect([query.get('state')?.length, query.get('code_challenge')?.length]).toEqual([43, 43]);
    await logIn();
    expect(record()).toEqual({
      access: 'access-1',
      refresh: 'refresh-1',
      account: 'ada@example.org',
      kind: 'oauth',
      expiresAt: clock.now() + 3_600_000,
      refused: false,
    });
    expect(secrets).toEqual(expect.arrayContaining(['access-1', 'refresh-1']));
  });

  it('refuses callbacks with a wrong state, path, host or method and replays, and keeps waiting', async () => {
    const { begin, flows, clock, record } = rig();
    const { url, loginId } = await begin();
    const back = server.approve(url);
    const wrong = server.approve(url, { state: 'guessed' });
    expect((await fetch(wrong)).status).toBe(400);
    expect((await fetch(back.replace(/state=[^&]+/, ''))).status).toBe(400);
    expect((await fetch(`${back}&state=again`)).status).toBe(400);
    expect((await fetch(back.replace('/callback', '/other'))).status).toBe(404);
    expect((await fetch(back.replace('127.0.0.1', 'localhost')).catch(() => ({ status: 404 }))).status).toBe(
      404,
    );
    expect((await fetch(back, { method: 'POST' })).status).toBe(404);
    const asked = flows.wait(loginId, 1_000);
    await clock.advance(1_000);
    expect(await asked).toBeNull();
    expect((await fetch(back)).status).toBe(200);
    expect(await flows.wait(loginId, 60_000)).toMatchObject({ ok: true });
    expect(record()).toMatchObject({ access: 'access-1' });
    expect(await fetch(back).catch(() => 'closed')).toBe('closed');
  });

  it('ends on denial, timeout, a newer login or stop, and stores nothing', async () => {
    const { begin, flows, clock, record } = rig();
    const first = await begin();
    const declined = await begin();
    expect(await flows.wait(first.loginId, 60_000)).toMatchObject({ error: { code: 'cancelled' } });
    await fetch(server.approve(declined.url, { error: 'access_denied' }));
    expect(await flows.wait(declined.loginId, 60_000)).toMatchObject({ error: { code: 'unauthenticated' } });
    const late = await begin();
    await clock.advance(10 * 60_000);
    expect(await flows.wait(late.loginId, 60_000)).toMatchObject({ error: { code: 'timeout' } });
    expect(await fetch(server.approve(late.url)).catch(() => 'closed')).toBe('closed');
    const stopped = await begin();
    flows.stop();
    expect(await flows.wait(stopped.loginId, 60_000)).toMatchObject({ error: { code: 'cancelled' } });
    expect(await flows.wait('unknown', 1)).toMatchObject({ error: { code: 'not_found' } });
    expect(record()).toBeNull();
  });

  it('stores a permanent API key if the provider issues one', async () => {
    const { logIn, record, keeper, clock } = rig({ kind: 'key-exchange', client_id: '', revoke_url: '' });
    await logIn();
    expect(server.asked.at(-1)?.body).toMatchObject({ code_challenge_method: 'S256', code: 'code-1' });
    expect(record()).toMatchObject({
      access: 'sk-or-bought',
      refresh: null,
      expiresAt: null,
      account: 'user_1',
    });
    await clock.advance(1_000_000_000);
    expect(await keeper.token('vllm')).toEqual(ok('sk-or-bought'));
    expect(await keeper.clear('vllm')).toMatchObject({
      ok: true,
      value: expect.stringContaining('delete it there'),
    });
  });
});

describe('Device code login', () => {
  it('polls at the given interval and slows down on request until confirmation', async () => {
    const { begin, flows, clock, record } = rig();
    const { url, userCode, loginId } = await begin(true);
    expect([url, userCode]).toEqual([expect.stringMatching(/\/activate$/), 'WDJB-MJHT']);
    const polls = () => server.asked.filter(({ path }) => path === '/token').length;
    /** Advances the clock until the next poll; returns the ms that passed. */
    const nextPoll = async (): Promise<number> => {
      const [before, from] = [polls(), clock.monotonic()];
      while (polls() === before) {
        await clock.advance(100);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return clock.monotonic() - from;
    };
    await clock.advance(4_900);
    expect(polls()).toBe(0);
    await nextPoll();
    server.answerNext(400, { error: 'slow_down' });
    // More time may pass while an answer is on its way, but never less.
    expect(await nextPoll()).toBeGreaterThanOrEqual(5_000);
    server.confirmDevice();
    expect(await nextPoll()).toBeGreaterThanOrEqual(10_000);
    expect(await flows.wait(loginId, 60_000)).toMatchObject({ ok: true });
    expect(record()).toMatchObject({ access: 'access-1', refresh: 'refresh-1' });
  });

  it('ends when the login is declined', async () => {
    const { begin, flows, clock } = rig();
    const { loginId } = await begin(true);
    server.answerNext(400, { error: 'access_denied' });
    await clock.advance(5_000);
    await expect.poll(() => server.asked.length).toBe(2);
    expect(await flows.wait(loginId, 60_000)).toMatchObject({ error: { code: 'unauthenticated' } });
  });
});

describe('Access token renewal', () => {
  it('runs once for concurrent requests, so no refresh token is used twice', async () => {
    const { logIn, keeper, clock, refreshes, record } = rig();
    await logIn();
    expect(await keeper.token('vllm')).toEqual(ok('access-1'));
    await clock.advance(3_600_000 - 60_000);
    server.rules.slowMs = 30;
    const all = await Promise.all(Array.from({ length: 20 }, () => keeper.token('vllm')));
    expect(all).toEqual(Array(20).fill(ok('access-2')));
    expect(refreshes()).toBe(1);
    expect(record()).toMatchObject({ access: 'access-2', refresh: 'refresh-2' });
  });

  it('runs early and once if the provider rejected the token', async () => {
    const { logIn, keeper, refreshes } = rig();
    await logIn();
    const all = await Promise.all(Array.from({ length: 5 }, () => keeper.token('vllm', 'access-1')));
    expect(all).toEqual(Array(5).fill(ok('access-2')));
    expect(refreshes()).toBe(1);
    server.answerNext(400, { error: 'invalid_grant' });
    expect(await keeper.token('vllm', 'access-2')).toMatchObject({ error: { code: 'unauthenticated' } });
  });

  it('keeps the old refresh token if the response has none', async () => {
    const { logIn, keeper, clock, record, refreshes } = rig();
    await logIn();
    server.rules.dropsRefresh = true;
    for (const access of ['access-2', 'access-3']) {
      await clock.advance(3_600_000);
      expect(await keeper.token('vllm')).toEqual(ok(access));
      expect(record()).toMatchObject({ access, refresh: 'refresh-1', account: 'ada@example.org' });
    }
    expect(refreshes()).toBe(2);
  });

  it('keeps using the token until expiry if the provider is down, then reports unavailable', async () => {
    const { logIn, keeper, clock, record } = rig();
    await logIn();
    await clock.advance(3_600_000 - 60_000);
    server.answerNext(503, {});
    expect(await keeper.token('vllm')).toEqual(ok('access-1'));
    await clock.advance(60_000);
    server.answerNext(503, {});
    expect(await keeper.token('vllm')).toMatchObject({ error: { code: 'unavailable' } });
    expect(record()).toMatchObject({ refused: false });
    expect(await keeper.token('vllm')).toEqual(ok('access-2'));
  });

  it('stops after the provider revoked the login', async () => {
    const { logIn, keeper, clock, record, refreshes, log } = rig();
    await logIn();
    await clock.advance(3_600_000);
    server.answerNext(400, { error: 'invalid_grant', error_description: 'refresh-1 was revoked' });
    const refused = await keeper.token('vllm');
    expect(refused).toMatchObject({ error: { code: 'unauthenticated' } });
    expect(record()).toMatchObject({ refused: true });
    await keeper.token('vllm');
    expect(refreshes()).toBe(1);
    expect(JSON.stringify([refused, log.lines])).not.toMatch(/refresh-1|access-1/);
  });
});

describe('Logout', () => {
  it('revokes the token at the provider and deletes it locally', async () => {
    const { logIn, keeper, record } = rig();
    await logIn();
    expect(await keeper.clear('vllm')).toEqual(ok(''));
    expect([record(), server.revoked]).toEqual([null, ['refresh-1']]);
    expect(await keeper.token('vllm')).toMatchObject({ error: { code: 'unauthenticated' } });
  });

  it('deletes the token locally and says so if the provider cannot be reached', async () => {
    const { logIn, keeper, record } = rig();
    await logIn();
    await server.close();
    expect(await keeper.clear('vllm')).toMatchObject({
      ok: true,
      value: expect.stringContaining('could not be told'),
    });
    expect(record()).toBeNull();
    server = await openOAuthServer();
  });

  it('revokes and deletes the new token of a concurrent renewal', async () => {
    const { logIn, keeper, clock, record } = rig();
    await logIn();
    await clock.advance(3_600_000);
    server.rules.slowMs = 30;
    const renewal = keeper.token('vllm');
    const cleared = keeper.clear('vllm');
    await renewal;
    await cleared;
    expect([record(), server.revoked]).toEqual([null, ['refresh-2']]);
  });
});
