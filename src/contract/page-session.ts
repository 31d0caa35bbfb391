/**
 * Authentication of a browser on the loopback WebSocket: a secret in its first frame. A cookie would be sent
 * to every port of this address, including those of other programs.
 */
import { z } from 'zod';
import { appErrorSchema } from './error-schema.ts';
import { maxPassphraseLength } from './passphrase-length.ts';

const secret = z.string().min(1).max(200);

/** First frame of a connection, with the token of a one-time link or the secret of a session. */
export const helloFrameSchema = z.union([
  z.strictObject({ type: z.literal('hello'), link: secret }),
  z.strictObject({ type: z.literal('hello'), session: secret }),
]);
export type HelloFrame = z.infer<typeof helloFrameSchema>;

export const welcomeFrameSchema = z.object({ type: z.literal('welcome'), session: secret });

/** Answers a hello while the page is locked; the welcome follows after the unlock. */
export const lockedFrameSchema = z.object({
  type: z.literal('locked'),
  /** Why the last passphrase did not open the page. */
  error: appErrorSchema.optional(),
});

/** Opens the locked page in all browsers. */
export const unlockFrameSchema = z.strictObject({
  type: z.literal('unlock'),
  passphrase: z.string().min(1).max(maxPassphraseLength),
});
export type UnlockFrame = z.infer<typeof unlockFrameSchema>;

/** Frames of a browser about its own session. */
export const sessionFrameSchema = z.strictObject({
  /** `active`: a person used the page. `sign-out`: ends the session on every page of this browser. */
  type: z.enum(['active', 'sign-out']),
});
export type SessionFrame = z.infer<typeof sessionFrameSchema>;

/** Limit of hello and session frames. */
export const maxSessionFrameBytes = 1024;

/** Limit of unlock frames: each character of a passphrase may be escaped with six. */
export const maxUnlockFrameBytes = maxSessionFrameBytes + 6 * maxPassphraseLength;

/** Close code of a connection without a session: unknown, expired or signed out. */
export const signedOutCode = 4401;

/** Close code after a lock; the session continues, and a new connection waits for the welcome. */
export const lockedCode = 4423;
