/**
 * How a browser proves itself on the loopback WebSocket: with a secret in its first frame. A cookie would be sent to
 * every port of this address, so to every other program that listens there.
 */
import { z } from 'zod';

const secret = z.string().min(1).max(200);

/** Opens a connection: with the token of a one-time link, or with the secret of a session. */
export const helloFrameSchema = z.union([
  z.strictObject({ type: z.literal('hello'), link: secret }),
  z.strictObject({ type: z.literal('hello'), session: secret }),
]);
export type HelloFrame = z.infer<typeof helloFrameSchema>;

/** Answers a hello. */
export const welcomeFrameSchema = z.object({ type: z.literal('welcome'), session: secret });

/** Answers a hello while the page is locked; the welcome follows when the owner unlocks it. */
export const lockedFrameSchema = z.object({ type: z.literal('locked') });

/** What a browser says about its own session, between its calls. */
export const sessionFrameSchema = z.strictObject({
  /** `active`: a person used the page; `sign-out`: the session ends, on every page of this browser. */
  type: z.enum(['active', 'sign-out']),
});
export type SessionFrame = z.infer<typeof sessionFrameSchema>;

/** No hello or session frame is longer: bytes. */
export const maxSessionFrameBytes = 1024;

/** Close code of a connection without a session: unknown, expired or signed out. */
export const signedOutCode = 4401;

/** Close code of a connection whose page was locked; the session goes on, and a new connection waits for the welcome. */
export const lockedCode = 4423;
