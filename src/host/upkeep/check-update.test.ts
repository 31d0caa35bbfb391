import { expect, it } from 'vitest';
import { englishText } from '../../language/host-message.ts';
import { checkUpdate, isNewer } from './check-update.ts';

const url = 'https://releases.example/latest';
const answering =
  (body: string, status = 200): typeof fetch =>
  async () =>
    new Response(body, { status });

it('Version comparison recognizes newer releases', () => {
  for (const [candidate, current] of [
    ['v0.2.0', '0.1.9'],
    ['1.0.0', '0.99.99'],
    ['0.1.0', '0.1.0-rc.1'],
  ] as const) {
    expect(isNewer(candidate, current), candidate).toBe(true);
    expect(isNewer(current, candidate), current).toBe(false);
  }
  for (const other of ['0.1.0', 'latest', '', '1.2'] as const)
    expect(isNewer(other, '0.1.0'), other).toBe(false);
});

it('The update check reports a newer release', async () => {
  const body = JSON.stringify({ tag_name: 'v0.2.0', html_url: 'https://releases.example/0.2.0' });
  expect(await checkUpdate({ version: '0.1.0', fetch: answering(body) }, url)).toEqual({
    current: '0.1.0',
    latest: 'v0.2.0',
    newer: true,
    page: 'https://releases.example/0.2.0',
    note: '',
  });
});

it('The update check never fails on network errors or invalid replies', async () => {
  const broken: typeof fetch = async () => Promise.reject(new TypeError('offline'));
  const never = { latest: null, newer: false };
  for (const fetch of [
    broken,
    answering('<html>'),
    answering('{}'),
    answering('x'.repeat(600_000)),
    answering('{"tag_name":"v9.0.0"}', 404),
  ]) {
    expect(await checkUpdate({ version: '0.1.0', fetch }, url)).toMatchObject(never);
  }
});

it('The update check sends no request without a secure address', async () => {
  const asked: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(input);
    return new Response('{}');
  };
  for (const none of ['', 'http://plain.example']) {
    expect(englishText((await checkUpdate({ version: '0.1.0', fetch }, none)).note)).toContain(
      'No check was made',
    );
  }
  expect(asked).toEqual([]);
});
