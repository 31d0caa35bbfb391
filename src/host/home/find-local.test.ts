import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { findLocal } from './find-local.ts';

const clock = createSystemClock();
const apiKeys = { source: () => 'none' as const };
const nobody = () => Promise.reject(new Error('refused'));
const list = (...ids: readonly string[]) => Response.json({ data: ids.map((id) => ({ id })) });

it('Local lookup lists key names and local model servers, and contacts only 127.0.0.1', async () => {
  const asked: string[] = [];
  const found = await findLocal({
    env: { OPENAI_API_KEY: 'sk-very-secret', GOOGLE_API_KEY: ' ', ANTHROPIC_API_KEY: '' },
    clock,
    apiKeys,
    fetch: (async (url: string) => {
      asked.push(url);
      return url.includes(':11434') ? list('qwen3:8b', 'llama3.2') : nobody();
    }) as unknown as typeof fetch,
  });
  expect(found).toEqual([
    { kind: 'environment', provider: 'openai', where: 'OPENAI_API_KEY', models: ['gpt-4o'], usable: true },
    {
      kind: 'server',
      provider: 'ollama',
      where: 'http://127.0.0.1:11434/v1',
      models: ['qwen3:8b', 'llama3.2'],
      usable: true,
    },
  ]);
  expect(JSON.stringify(found)).not.toContain('secret');
  expect(asked.map((url) => new URL(url).hostname)).toEqual(Array(4).fill('127.0.0.1'));
});

it('Local lookup ignores servers with invalid replies, redirects or no reply', async () => {
  const answers = [
    () => new Response('<html>', { status: 200 }),
    () => Response.json({ data: 'many' }),
    () => new Response('no', { status: 404 }),
    () => new Response('{}', { headers: { 'content-length': '99999999' } }),
    nobody,
  ];
  for (const answer of answers) {
    const fetch = (async () => answer()) as unknown as typeof globalThis.fetch;
    expect(await findLocal({ env: {}, clock, apiKeys, fetch })).toEqual([]);
  }
  const redirects: unknown[] = [];
  const silent = ((_url: string, init: RequestInit) => {
    redirects.push(init.redirect);
    return new Promise((_, refuse) =>
      init.signal?.addEventListener('abort', () => refuse(new Error('late'))),
    );
  }) as unknown as typeof fetch;
  expect(await findLocal({ env: {}, clock, apiKeys, fetch: silent })).toEqual([]);
  expect(redirects).toEqual(Array(4).fill('error'));
});

it('A local server without models is listed as not usable', async () => {
  const fetch = (async (url: string) =>
    url.includes(':1234') ? list() : nobody()) as unknown as typeof globalThis.fetch;
  expect(await findLocal({ env: {}, clock, apiKeys, fetch })).toMatchObject([
    { provider: 'lmstudio', usable: false },
  ]);
});

it('Local lookup reports a login of another program without reading its file', async () => {
  const home = mkdtempSync(join(tmpdir(), 'kennel-logins-'));
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex', 'auth.json'), 'not even JSON', { mode: 0o000 });
  const found = await findLocal({
    env: { HOME: home },
    clock,
    apiKeys,
    fetch: nobody as unknown as typeof fetch,
  });
  expect(found).toEqual([
    { kind: 'login', provider: 'openai', where: '~/.codex/auth.json', models: [], usable: false },
  ]);
  rmSync(home, { recursive: true });
});

it('Local lookup lists providers whose key is stored', async () => {
  const found = await findLocal({
    env: {},
    clock,
    apiKeys: { source: (provider) => (provider === 'anthropic' ? 'stored' : 'none') },
    fetch: nobody as unknown as typeof fetch,
  });
  expect(found).toEqual([
    { kind: 'stored', provider: 'anthropic', where: '', models: ['claude-sonnet-4-6'], usable: true },
  ]);
});
