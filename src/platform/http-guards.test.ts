import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { addressKey, isLoopback, refuseForeign } from './http-guards.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:0db8::1', '2001:db8:0:0'],
  ['::1', '::1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
])('T24 The rate limit key of %s is %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

it('Loopback addresses are recognized', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isLoopback)).not.toContain(false);
  expect(['10.127.0.0.1', '127.0.0.1.example', '::2', ''].map(isLoopback)).not.toContain(true);
});

it('T1 T2: Requests from programs and the own page pass; foreign origins and hosts are refused', () => {
  const hosts = new Set(['127.0.0.1:80']);
  const status = (headers: IncomingHttpHeaders) => refuseForeign(headers, hosts)?.status ?? null;
  const host = '127.0.0.1:80';
  expect(status({ host })).toBeNull();
  expect(status({ host, origin: 'http://127.0.0.1:80', 'sec-fetch-site': 'same-origin' })).toBeNull();
  expect(status({ host, origin: 'null' })).toBe(403);
  expect(status({ host, origin: 'http://127.0.0.1:81' })).toBe(403);
  expect(status({ host, 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(status({ host: 'evil.example' })).toBe(421);
  expect(status({})).toBe(421);
});

it('T2: A listener without a page accepts programs and refuses every page', () => {
  const host = '127.0.0.1:80';
  const status = (headers: IncomingHttpHeaders) =>
    refuseForeign({ host, ...headers }, new Set([host]), 'none')?.status ?? null;
  expect(status({})).toBeNull();
  expect(status({ origin: 'http://127.0.0.1:80' })).toBe(403);
  expect(status({ origin: 'null' })).toBe(403);
  expect(status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
});
