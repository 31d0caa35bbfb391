import { describe, expect, it } from 'vitest';
import { textError } from '../contract/errors.ts';
import { err, ok } from '../contract/result.ts';
import { createAppHost } from './app-host.ts';
import type { LinkedHost } from './linked-host.ts';

function fakeHost(stop: () => Promise<void>): LinkedHost {
  return {
    by: 'app',
    pid: () => null,
    onState: () => {},
    stopped: new Promise(() => {}),
    stop,
    call: async () => ok({}),
    subscribe: () => ok(() => {}),
  };
}

function started(...given: Parameters<typeof createAppHost>) {
  const host = createAppHost(...given);
  void host.started();
  return host;
}

describe('In-app host', () => {
  it('starts nothing before it is requested and then needs no stop', async () => {
    const host = createAppHost(() => Promise.reject(new Error('must not start')));
    expect(await host.stop('quit')).toBe(true);
  });

  it('reports a start request or its timeout', async () => {
    let starts = 0;
    const host = createAppHost(async () => {
      starts += 1;
      return ok(fakeHost(async () => {}));
    });
    await host.askedFor(5);
    expect(starts).toBe(0);
    const asked = host.askedFor(60_000);
    await host.started();
    await asked;
    await host.askedFor(60_000);
    expect(starts).toBe(1);
  });

  it('stops the host it started and reports success', async () => {
    const reasons: string[] = [];
    const host = fakeHost(async () => void reasons.push('stopped'));
    expect(await started(async () => ok(host)).stop('quit')).toBe(true);
    expect(reasons).toEqual(['stopped']);
  });

  it('signals the host a second time to skip the wait for running steps', async () => {
    const reasons: string[] = [];
    const host = fakeHost(async () => void reasons.push('asked'));
    expect(await started(async () => ok(host)).stop('quit', true)).toBe(true);
    expect(reasons).toEqual(['asked', 'asked']);
  });

  it('stops waiting for a host that does not stop', async () => {
    const appHost = started(async () => ok(fakeHost(() => new Promise(() => {}))), 20);
    expect(await appHost.stop('quit')).toBe(false);
  });

  it('stops waiting for a host that is still starting', async () => {
    expect(await started(() => new Promise(() => {}), 20).stop('quit')).toBe(false);
  });

  it('reports a failed stop', async () => {
    const host = fakeHost(() => Promise.reject(new Error('no')));
    expect(await started(async () => ok(host)).stop('quit')).toBe(false);
  });

  it('passes on a start error and then needs no stop', async () => {
    const held = textError('held', 'Another Kennel holds this folder.');
    const appHost = createAppHost(async () => err(held));
    expect(await appHost.started()).toEqual(err(held));
    expect(await appHost.stop('quit')).toBe(true);
  });

  it('turns an exception at start into an error', async () => {
    const appHost = createAppHost(() => Promise.reject(new Error('boom')));
    expect(await appHost.started()).toMatchObject({ ok: false, error: { code: 'internal', where: 'boom' } });
  });
});
