import { describe, expect, it } from 'vitest';
import { isSafeAddress, type LoginSettings, loginFor, offersLogin } from './logins.ts';
import { isOver, isStale, type LoginRecord, readDeviceStart, readTokens } from './oauth.ts';

const own: LoginSettings = {
  client_id: 'mine',
  authorize_url: 'https://login.test/authorize',
  token_url: 'https://login.test/token',
  device_url: '',
  revoke_url: '',
  scopes: [],
};

describe('Logins', () => {
  it('are built in only for providers that need no registered client', () => {
    expect(loginFor('openrouter', {})).toMatchObject({
      ok: true,
      value: { kind: 'key-exchange', client_id: '' },
    });
    for (const provider of ['anthropic', 'openai', 'google', 'constructor', '__proto__']) {
      expect(offersLogin(provider, {})).toBe(false);
      expect(loginFor(provider, {})).toMatchObject({ error: { code: 'unsupported' } });
    }
  });

  it('configured by the operator take precedence, must be complete and use https', () => {
    expect(loginFor('openrouter', { openrouter: own })).toMatchObject({
      value: { kind: 'oauth', client_id: 'mine' },
    });
    for (const [change, word] of [
      [{ client_id: '' }, 'client_id'],
      [{ token_url: '' }, 'token_url'],
      [{ authorize_url: '' }, 'device_url'],
      [{ token_url: 'http://login.test/token' }, 'token_url must be an https address'],
      [{ revoke_url: 'ftp://login.test' }, 'revoke_url'],
    ] as const) {
      expect(loginFor('vllm', { vllm: { ...own, ...change } })).toMatchObject({
        error: { code: 'invalid_input', message: expect.stringContaining(word), where: 'logins.vllm' },
      });
    }
  });

  it.each([
    ['https://a.test/x', true],
    ['http://127.0.0.1:9/x', true],
    ['http://localhost/x', true],
    ['http://[::1]:1', true],
    ['http://127.0.0.1.evil.test', false],
    ['http://a.test', false],
    ['https://user:pw@a.test', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['nothing', false],
  ])('treat address %s as safe for tokens: %s', (address, safe) => {
    expect(isSafeAddress(address)).toBe(safe);
  });
});

describe('Login server responses', () => {
  it('are a login only if they hold a bearer token', () => {
    const read = (body: unknown) => readTokens('oauth', body, 1_000, null);
    expect(read({ access_token: 'a', token_type: 'bearer', expires_in: '10' })).toMatchObject({
      value: { access: 'a', expiresAt: 11_000, refresh: null, account: '' },
    });
    for (const body of [null, 'x', {}, { access_token: '' }, { access_token: 'a', token_type: 'mac' }]) {
      expect(read(body)).toMatchObject({ error: { code: 'protocol' } });
    }
    const junk = { access_token: 'a', id_token: 'x.%%%.y' };
    expect(read(junk)).toMatchObject({ value: { account: '', expiresAt: null } });
  });

  it('are refused if the verification address is not an https address', () => {
    const start = { device_code: 'd', user_code: 'U', expires_in: 60 };
    const read = (verification_uri: string) => readDeviceStart({ ...start, verification_uri }, 0);
    expect(read('https://a.test')).toMatchObject({ value: { intervalMs: 5_000, expiresAt: 60_000 } });
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'http://a.test']) {
      expect(read(address)).toMatchObject({ error: { code: 'protocol' } });
    }
  });

  it('give a login that is stale one minute before expiry and over at expiry', () => {
    const record: LoginRecord = {
      access: 'a',
      refresh: null,
      account: '',
      refused: false,
      kind: 'oauth',
      expiresAt: 100_000,
    };
    expect([isStale(record, 39_999), isStale(record, 40_000)]).toEqual([false, true]);
    expect([isOver(record, 99_999), isOver(record, 100_000)]).toEqual([false, true]);
    expect(isStale({ ...record, expiresAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
