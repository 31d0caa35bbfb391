import { describe, expect, it } from 'vitest';
import { appError } from '../contract/errors.ts';
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

describe('the host inside the app', () => {
  it('starts nothing before it is asked for, and has nothing to stop then', async () => {
    const host = createAppHost(() => Promise.reject(new Error('must not start')));
    expect(await host.stop('quit')).toBe(true);
  });

  it('tells when it is asked for, and when nobody did in time', async () => {
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

  it('stops the host it started, and says that it did', async () => {
    const reasons: string[] = [];
    const host = fakeHost(async () => void reasons.push('stopped'));
    expect(await started(async () => ok(host)).stop('quit')).toBe(true);
    expect(reasons).toEqual(['stopped']);
  });

  it('asks a second time where steps at work are not to be waited for', async () => {
    const reasons: string[] = [];
    const host = fakeHost(async () => void reasons.push('asked'));
    expect(await started(async () => ok(host)).stop('quit', true)).toBe(true);
    expect(reasons).toEqual(['asked', 'asked']);
  });

  it('gives up waiting for a host that does not stop', async () => {
    const appHost = started(async () => ok(fakeHost(() => new Promise(() => {}))), 20);
    expect(await appHost.stop('quit')).toBe(false);
  });

  it('gives up waiting for a host that is still starting', async () => {
    expect(await started(() => new Promise(() => {}), 20).stop('quit')).toBe(false);
  });

  it('tells of a stop that failed', async () => {
    const host = fakeHost(() => Promise.reject(new Error('no')));
    expect(await started(async () => ok(host)).stop('quit')).toBe(false);
  });

  it('hands on why it did not start, and has nothing to stop then', async () => {
    const held = appError('held', 'Another Kennel holds this folder.');
    const appHost = createAppHost(async () => err(held));
    expect(await appHost.started()).toEqual(err(held));
    expect(await appHost.stop('quit')).toBe(true);
  });

  it('turns a bug at the start into an error that can be shown', async () => {
    const appHost = createAppHost(() => Promise.reject(new Error('boom')));
    expect(await appHost.started()).toMatchObject({ ok: false, error: { code: 'internal', where: 'boom' } });
  });
});
