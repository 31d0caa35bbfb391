/**
 * A browser's connection to the host. It answers nothing before a first frame that proves a session, or while
 * the page is locked, and closes when the session ends or the page is locked.
 */

import type { WebSocket } from 'ws';
import { fail } from '../../contract/fail.ts';
import type { HostApi } from '../../contract/host-api.ts';
import {
  helloFrameSchema,
  lockedCode,
  maxSessionFrameBytes,
  maxUnlockFrameBytes,
  sessionFrameSchema,
  signedOutCode,
  unlockFrameSchema,
} from '../../contract/page-session.ts';
import { maxPassphraseLength } from '../../contract/passphrase-length.ts';
import type { Result } from '../../contract/result.ts';
import { tryJson } from '../../core/lib/json-as.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { createTransportSession, slowClientBytes, type TransportSession } from './client-connection.ts';
import type { WebSession, WebSessions } from './web-sessions.ts';

const pingMs = 30_000;
const helloLimitMs = 5_000;

interface PageSocketOptions {
  readonly api: HostApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly checkPassphrase: (passphrase: string) => Promise<Result<void>>;
}

/** The session proven by a first frame, with its secret; `null` for any other frame. */
function admit(sessions: WebSessions, text: string): { secret: string; session: WebSession } | null {
  const hello = text.length <= maxSessionFrameBytes ? helloFrameSchema.safeParse(tryJson(text)) : null;
  if (!hello?.success) return null;
  const secret = 'link' in hello.data ? sessions.redeem(hello.data.link) : hello.data.session;
  const session = secret === null ? null : sessions.find(secret);
  return secret === null || session === null ? null : { secret, session };
}

/** Frames about the session; all others are calls or subscriptions. */
function readSessionFrame(text: string): 'active' | 'sign-out' | null {
  if (text.length > maxSessionFrameBytes) return null;
  const frame = sessionFrameSchema.safeParse(tryJson(text));
  return frame.success ? frame.data.type : null;
}

const tooLong = fail('invalid_input', 'secrets.lockTooLong', { length: maxPassphraseLength });

/** The passphrase of a locked page, or `null` for any other frame. */
function readUnlockFrame(text: string): string | null {
  const frame = unlockFrameSchema.safeParse(tryJson(text));
  return frame.success ? frame.data.passphrase : null;
}

function openConversation(ws: WebSocket, options: PageSocketOptions): TransportSession {
  const conversation = createTransportSession({
    api: options.api,
    principal: { kind: 'owner-ui' },
    wire: {
      send: (text) =>
        ws.send(text, () => {
          if (ws.bufferedAmount < slowClientBytes) conversation.onDrain();
        }),
      buffered: () => ws.bufferedAmount,
      close: (reason) => {
        options.log.warn('browser_dropped', { reason });
        ws.close(1008, reason);
      },
    },
  });
  return conversation;
}

function keepAlive(ws: WebSocket, { clock }: PageSocketOptions): void {
  let alive = true;
  const beat = (): void => {
    if (!alive) {
      ws.terminate();
      return;
    }
    alive = false;
    ws.ping();
    timer = clock.after(pingMs, beat, { unref: true });
  };
  let timer = clock.after(pingMs, beat, { unref: true });
  ws.on('pong', () => {
    alive = true;
  });
  ws.on('close', () => timer.cancel());
}

/** `onAdmitted` is called once the first frame has proven a session. */
export function servePageSocket(
  ws: WebSocket,
  sessions: WebSessions,
  options: PageSocketOptions,
  onAdmitted: () => void,
): void {
  let admitted: { session: WebSession; conversation: TransportSession | null } | null = null;
  const late = options.clock.after(helloLimitMs, () => ws.close(signedOutCode, 'no hello'), { unref: true });
  ws.on('close', () => late.cancel());
  ws.on('error', () => ws.terminate());

  const begin = (text: string): void => {
    late.cancel();
    const found = admit(sessions, text);
    if (!found) {
      ws.close(signedOutCode, 'signed out');
      return;
    }
    const { session } = found;
    onAdmitted();
    const forget = session.onEnd(() => ws.close(signedOutCode, 'signed out'));
    ws.on('close', forget);
    keepAlive(ws, options);
    admitted = { session, conversation: null };
    if (sessions.isLocked()) {
      const forgetUnlock = sessions.onLockChange(() => serve(found));
      ws.on('close', forgetUnlock);
      ws.send(JSON.stringify({ type: 'locked' }));
    } else {
      serve(found);
    }
  };

  const serve = ({ session, secret }: { session: WebSession; secret: string }): void => {
    if (ws.readyState !== ws.OPEN) return;
    session.used();
    const conversation = openConversation(ws, options);
    const forget = sessions.onLockChange(() => {
      conversation.end();
      ws.close(lockedCode, 'locked');
    });
    ws.on('close', () => {
      forget();
      conversation.end();
    });
    admitted = { session, conversation };
    ws.send(JSON.stringify({ type: 'welcome', session: secret }));
  };

  let isUnlocking = false;
  const unlock = async (passphrase: string): Promise<void> => {
    if (isUnlocking) return;
    isUnlocking = true;
    const checked = await options.checkPassphrase(passphrase);
    isUnlocking = false;
    if (checked.ok) sessions.unlock();
    else if (ws.readyState === ws.OPEN) ws.send(JSON.stringify({ type: 'locked', error: checked.error }));
  };

  const whileLocked = (session: WebSession, text: string): void => {
    const passphrase = text.length > maxUnlockFrameBytes ? null : readUnlockFrame(text);
    if (passphrase !== null) void unlock(passphrase);
    else if (readSessionFrame(text) === 'sign-out') session.end();
    else if (text.length > maxUnlockFrameBytes) ws.send(JSON.stringify({ type: 'locked', error: tooLong }));
  };

  ws.on('message', (data, isBinary) => {
    // A frame may arrive after the session ended.
    if (ws.readyState !== ws.OPEN) return;
    if (isBinary) return ws.close(1003, 'text only');
    const text = String(data);
    if (admitted === null) return begin(text);
    const { session, conversation } = admitted;
    if (conversation === null) return whileLocked(session, text);
    const own = readSessionFrame(text);
    if (own === 'sign-out') session.end();
    else if (own === 'active') session.used();
    else conversation.onText(text);
  });
}
