import { afterEach, expect, it, vi } from 'vitest';
import { lockedCode } from '../../contract/page-session.ts';
import { createWsClient } from './ws-client.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const welcome = { type: 'welcome', session: 'secret' };

function rig() {
  const sockets: EventTarget[] = [];
  class FakeSocket extends EventTarget {
    constructor() {
      super();
      sockets.push(this);
    }
    send(): void {}
  }
  vi.stubGlobal('WebSocket', FakeSocket);
  const done: string[] = [];
  const states: string[] = [];
  const page = {
    addEventListener: () => undefined,
    document: { body: { replaceChildren: () => void done.push('emptied') } },
    location: { reload: () => void done.push('reloaded') },
  };
  const session = {
    hello: () => ({ type: 'hello' as const, session: 'secret' }),
    keep: () => undefined,
    forget: () => void done.push('forgot its session'),
    onSignIn: () => undefined,
  };
  const link = createWsClient({ url: 'ws://127.0.0.1:1/ws', session, page: page as unknown as Window });
  link.onState((state) => void states.push(state));
  const hear = (frame: object): void => {
    const event = Object.assign(new Event('message'), { data: JSON.stringify(frame) });
    sockets.at(-1)?.dispatchEvent(event);
  };
  const close = (code: number): void =>
    void sockets.at(-1)?.dispatchEvent(Object.assign(new Event('close'), { code }));
  return { sockets, done, states, hear, close };
}

it('a page that is locked is emptied and starts again, so that it keeps no data', () => {
  const { sockets, done, states, hear, close } = rig();
  hear(welcome);
  close(lockedCode);
  expect(done).toEqual(['emptied', 'reloaded']);
  expect(states).toEqual(['connecting', 'up']);
  expect(sockets.length, 'connections are left to the new page').toBe(1);
});

it('a page that was locked while it had no connection starts again, and asks for the passphrase once', async () => {
  vi.useFakeTimers();
  const { sockets, done, states, hear, close } = rig();
  hear(welcome);
  close(1006);
  await vi.runAllTimersAsync();
  expect(sockets.length).toBe(2);
  hear({ type: 'locked' });
  expect(done).toEqual(['emptied', 'reloaded']);
  const next = rig();
  next.hear({ type: 'locked' });
  expect(next.done).toEqual([]);
  expect(next.states).toEqual(['connecting', 'locked']);
  expect(states).not.toContain('locked');
});
