import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { textError } from '../contract/errors.ts';
import { err, ok } from '../contract/result.ts';
import { createAppLock } from './app-lock.ts';
import { announceOnDesktop } from './notification-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rig(kind: string, lockAfterMin = 0) {
  const state = {
    locked: false,
    idle: 0,
    kind,
    lastOpened: null as string | null,
    isLost: false,
    changes: [] as boolean[],
  };
  const lock = createAppLock({
    settings: {
      current: () => ({ lockAfterMin }) as never,
      isLocked: () => state.locked,
      setLocked: (locked) => {
        state.locked = locked;
        return true;
      },
    },
    ask: async (method, input) => {
      if (state.isLost) return err(textError('unavailable', 'no host'));
      if (method === 'lock.view') return ok({ kind: state.kind, browsers: [], lastOpened: state.lastOpened });
      const { passphrase } = input as { passphrase: string };
      return passphrase === 'open sesame' ? ok({}) : err(textError('unauthenticated', 'no'));
    },
    idleSeconds: () => state.idle,
    errors: {
      noPassphrase: () => textError('not_found', 'none set'),
      notSaved: () => textError('io_error', 'not saved'),
    },
    onChanged: (locked) => void state.changes.push(locked),
  });
  return { lock, state };
}

it('a locked app answers only the state of the lock and the unlock, until the right passphrase', async () => {
  const { lock, state } = rig('own');
  expect(lock.permits('chat.history')).toBe(true);
  expect((await lock.lock()).ok).toBe(true);
  for (const method of ['chat.history', 'host.view', 'desktop.takeScreen', 'desktop.set', ''])
    expect(lock.permits(method), method).toBe(false);
  for (const method of ['desktop.lockState', 'desktop.unlock', 'desktop.hostHere'])
    expect(lock.permits(method)).toBe(true);
  expect(await lock.unlock('guess')).toMatchObject({ ok: false, error: { code: 'unauthenticated' } });
  expect(lock.isLocked()).toBe(true);
  expect((await lock.unlock('open sesame')).ok).toBe(true);
  expect(state.changes).toEqual([true, false]);
});

it('is never locked without a passphrase that could open it again', async () => {
  const { lock } = rig('none');
  expect(await lock.lock()).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(lock.isLocked()).toBe(false);
});

it('locks after the chosen time without input, and not before', async () => {
  const { lock, state } = rig('vault', 5);
  lock.watch();
  state.idle = 299;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lock.isLocked()).toBe(false);
  state.idle = 300;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lock.isLocked()).toBe(true);
  lock.stop();
});

it('locks itself without a host if a passphrase was set before, and not if there was none', async () => {
  for (const [kind, locks] of [
    ['own', true],
    ['none', false],
  ] as const) {
    const { lock, state } = rig(kind, 5);
    await lock.hostLinked();
    lock.watch();
    Object.assign(state, { isLost: true, idle: 300 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lock.isLocked(), kind).toBe(locks);
    lock.stop();
  }
});

it('opens after the owner unlocked at a terminal, once for each unlock', async () => {
  const { lock, state } = rig('own');
  lock.watch();
  await lock.hostLinked();
  state.lastOpened = 'before the lock';
  await lock.lock();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lock.isLocked()).toBe(true);
  state.lastOpened = 'after the lock';
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.changes).toEqual([true, false]);
  // A new host of the same folder has not been unlocked yet.
  await lock.lock();
  state.lastOpened = null;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lock.isLocked()).toBe(true);
  lock.stop();
});

it('opens if no passphrase is set any more, but not while no host says so', async () => {
  const { lock, state } = rig('none');
  Object.assign(state, { locked: true, isLost: true });
  lock.watch();
  await lock.hostLinked();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lock.isLocked()).toBe(true);
  state.isLost = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lock.isLocked()).toBe(false);
  lock.stop();
});

it('notifications of a locked app show counts, neither names nor texts', () => {
  const happening = {
    kind: 'approvals' as const,
    who: 'Guide',
    text: 'Guide wants to write hello.md',
    route: '#/inbox/ap1',
    approval: { id: 'ap1', digest: 'd', whole: null },
  };
  const choice = {
    notify: { approvals: true, finished: true, failed: true, mentioned: true },
    notifyText: true,
  };
  const [said, ...more] = announceOnDesktop([happening], choice, true);
  expect(more).toEqual([]);
  expect(JSON.stringify(said)).not.toMatch(/Guide|hello/);
  expect(said).toMatchObject({ answer: null, body: '1 waits for your answer' });
});
