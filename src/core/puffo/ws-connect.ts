/** First frame of a WebSocket connection (spec §2.5): the subkey signs slug, time and a nonce. */
import { ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { toBase64Url, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine, Random } from '../ports.ts';
import { requestWindowMs } from './http-signing.ts';
import type { Session } from './identity.ts';
import { refuseWire } from './refusal.ts';
import { verifyBytes } from './signatures.ts';
import { type ConnectFrame, connectFrameSchema } from './wire.ts';

type ConnectFields = Pick<ConnectFrame, 'slug' | 'subkey_id' | 'nonce' | 'timestamp'>;

export const connectSigningBytes = (frame: ConnectFields): Uint8Array =>
  utf8(`ws-connect\n${frame.slug}\n${frame.subkey_id}\n${frame.nonce}\n${frame.timestamp}`);

/** `now` in ms since the epoch. */
export function signConnect(
  engine: CryptoEngine,
  signer: { readonly slug: string; readonly session: Session },
  now: number,
  random: Random,
): ConnectFrame {
  const fields = {
    slug: signer.slug,
    subkey_id: signer.session.subkeyId,
    nonce: toBase64Url(random.bytes(16)),
    timestamp: now,
  };
  const signature = toBase64Url(engine.ed25519Sign(connectSigningBytes(fields), signer.session.secret));
  return { type: 'connect', ...fields, signature };
}

export function readConnect(raw: unknown): Result<ConnectFrame> {
  const parsed = connectFrameSchema.safeParse(raw);
  return parsed.success ? ok(parsed.data) : refuseWire('malformed', say('server.connectFrameExpected'));
}

/** `publicKey`: base64url key of `frame.subkey_id`. Errors: `stale_timestamp`, `bad_signature`, `bad_key`. */
export function verifyConnect(
  engine: CryptoEngine,
  frame: ConnectFrame,
  publicKey: string,
  now: number,
): Result<void> {
  if (Math.abs(now - frame.timestamp) > requestWindowMs) {
    return refuseWire('stale_timestamp', say('server.staleConnection'));
  }
  return verifyBytes(engine, connectSigningBytes(frame), frame.signature, publicKey);
}
