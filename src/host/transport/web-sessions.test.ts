import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { createWebSessions, idleLimitMs, sessionLifeMs } from './web-sessions.ts';

const hour = 3_600_000;

function signedIn() {
  const clock = createVirtualClock();
  const sessions = createWebSessions(clock);
  const secret = sessions.redeem(sessions.newLink()) ?? '';
  const found = sessions.find(secret);
  if (!found) throw new Error('no session');
  let closed = 0;
  found.onEnd(() => {
    closed += 1;
  });
  return { clock, sessions, secret, found, closed: () => closed };
}

describe('Browser sessions (T4)', () => {
  it('start once per link and within ten minutes', async () => {
    const { clock, sessions } = signedIn();
    const link = sessions.newLink();
    expect(sessions.redeem(link)).not.toBeNull();
    expect(sessions.redeem(link)).toBeNull();
    const late = sessions.newLink();
    await clock.advance(10 * 60_000 + 1);
    expect(sessions.redeem(late)).toBeNull();
    expect(sessions.redeem('guess')).toBeNull();
    expect(sessions.find('guess')).toBeNull();
  });

  it('end after 12 idle hours and close their connections', async () => {
    const { clock, sessions, secret, found, closed } = signedIn();
    await clock.advance(idleLimitMs - hour);
    found.used();
    await clock.advance(idleLimitMs - hour);
    expect(sessions.find(secret)).not.toBeNull();
    expect(closed()).toBe(0);
    await clock.advance(hour + 60_000);
    expect(closed()).toBe(1);
    expect(sessions.find(secret)).toBeNull();
  });

  it('end after 7 days despite use', async () => {
    const { clock, sessions, secret, found, closed } = signedIn();
    for (let passed = 0; passed < sessionLifeMs; passed += 6 * hour) {
      found.used();
      await clock.advance(6 * hour);
    }
    await clock.advance(60_000);
    expect(closed()).toBe(1);
    expect(sessions.find(secret)).toBeNull();
  });

  it('beyond the limit end the oldest session', () => {
    const { sessions, secret, closed } = signedIn();
    for (let n = 0; n < 50; n += 1) sessions.redeem(sessions.newLink());
    expect(closed()).toBe(1);
    expect(sessions.find(secret)).toBeNull();
  });

  it('can all be ended at once', () => {
    const { sessions, secret, closed } = signedIn();
    sessions.endAll();
    expect(closed()).toBe(1);
    expect(sessions.find(secret)).toBeNull();
  });
});
