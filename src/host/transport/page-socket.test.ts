import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { servePageSocket } from './page-socket.ts';
import { createWebSessions } from './web-sessions.ts';

/** A page that was admitted while all pages are locked. */
function lockedPage() {
  const clock = createVirtualClock();
  const sessions = createWebSessions(clock);
  const session = sessions.redeem(sessions.newLink());
  sessions.lock();
  const checks: { passphrase: string; answer: (result: Result<void>) => void }[] = [];
  const sent: unknown[] = [];
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text: string) => void sent.push(JSON.parse(text)),
    close: () => undefined,
  });
  const options = {
    api: { call: async () => ok({}), subscribe: () => ok(() => undefined) },
    clock,
    log: createRecordingLog(),
    checkPassphrase: (passphrase: string) =>
      new Promise<Result<void>>((answer) => void checks.push({ passphrase, answer })),
  };
  servePageSocket(ws as unknown as WebSocket, sessions, options, () => undefined);
  const say = (frame: object): void => void ws.emit('message', Buffer.from(JSON.stringify(frame)), false);
  say({ type: 'hello', session });
  return { sessions, session, checks, sent, say, close: () => void ws.emit('close') };
}

it('a locked page tries one passphrase at a time', async () => {
  const { sessions, session, checks, sent, say, close } = lockedPage();
  expect(sent).toEqual([{ type: 'locked' }]);
  for (const passphrase of ['one', 'two', 'three']) say({ type: 'unlock', passphrase });
  expect(checks.map(({ passphrase }) => passphrase)).toEqual(['one']);
  checks[0]?.answer(err(fail('unauthenticated', 'secrets.lockWrong')));
  await expect
    .poll(() => sent.slice(1))
    .toMatchObject([{ type: 'locked', error: { code: 'unauthenticated' } }]);
  say({ type: 'unlock', passphrase: 'four' });
  expect(checks.map(({ passphrase }) => passphrase)).toEqual(['one', 'four']);
  checks[1]?.answer(ok(undefined));
  await expect.poll(() => sent.slice(2)).toEqual([{ type: 'welcome', session }]);
  expect(sessions.isLocked()).toBe(false);
  close();
});

it('a locked page accepts the longest passphrase of the lock, and says that a longer frame is too long', () => {
  const { checks, sent, say, close } = lockedPage();
  say({ type: 'unlock', passphrase: 'x'.repeat(10_000) });
  expect(sent.slice(1)).toMatchObject([{ type: 'locked', error: { code: 'invalid_input' } }]);
  const longest = '\u0001'.repeat(1000);
  say({ type: 'unlock', passphrase: longest });
  expect(checks.map(({ passphrase }) => passphrase)).toEqual([longest]);
  close();
});
