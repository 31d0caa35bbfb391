/** A person with keys and certificates but no client: tests send messages in its name, genuine or forged. */

import { fromBase64Url, toBase64Url } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { messageHpkeInfo, messageOuterAad, wrapAad } from '../../src/core/puffo/aad.ts';
import { createDeviceCert, createSlugBinding } from '../../src/core/puffo/certificates.ts';
import { envelopeRoute, type RecipientDevice, sealMessage } from '../../src/core/puffo/envelope.ts';
import { hpkeOpen, hpkeSeal } from '../../src/core/puffo/hpke.ts';
import { createIdentity, createSession, type Identity, type Session } from '../../src/core/puffo/identity.ts';
import { createPlaintextEnvelope } from '../../src/core/puffo/plaintext-envelope.ts';
import type { RegistryEntry } from '../../src/core/puffo/registry-store.ts';
import { type MessageEnvelope, messageEnvelopeSchema } from '../../src/core/puffo/wire.ts';

export interface Puppet {
  readonly identity: Identity;
  readonly session: Session;
  /** Entries of an honest registry; `seq` numbers start at the puppet's own base. */
  readonly entries: readonly RegistryEntry[];
  readonly device: RecipientDevice;
  sealedDm(to: Puppet, id: string, text: string, sentAt?: number): Record<string, unknown>;
  plainDm(to: Puppet, id: string, text: string): Record<string, unknown>;
}

const start = 1_778_790_000_000;

export interface PuppetOptions {
  readonly now?: number;
  readonly firstSeq?: number;
  readonly type?: 'human' | 'agent';
  readonly operatorRootPublicKey?: string | null;
  readonly serverUrl?: string;
}

export function createPuppet(crypto: CryptoEngine, slug: string, options: PuppetOptions = {}): Puppet {
  const now = options.now ?? start;
  const subject = {
    type: options.type ?? 'human',
    operatorRootPublicKey: options.operatorRootPublicKey ?? null,
    now,
  };
  const made = createIdentity(crypto, subject);
  const slugBinding = createSlugBinding(crypto, crypto.ed25519KeyPair(made.secrets.root), slug, now);
  const session = createSession(crypto, made.secrets, made.deviceId, now);
  const identity: Identity = {
    slug,
    deviceId: made.deviceId,
    serverUrl: options.serverUrl ?? 'http://127.0.0.1:1',
    secrets: made.secrets,
    identityCert: made.identityCert,
    slugBinding,
    deviceCert: made.deviceCert,
  };
  const first = options.firstSeq ?? 1;
  const entry = (at: number, kind: string, cert: unknown): RegistryEntry => ({
    seq: first + at,
    kind,
    slug,
    cert,
  });
  const device = {
    deviceId: made.deviceId,
    kemPublicKey: made.deviceCert.keys.encryption?.public_key ?? '',
  };
  const draft = (to: Puppet, id: string, text: string, sentAt: number) => ({
    envelopeId: id,
    kind: 'dm' as const,
    senderSlug: slug,
    spaceId: null,
    channelId: null,
    recipientSlug: to.identity.slug,
    sentAt,
    threadRootId: null,
    replyToId: null,
    contentType: 'text/plain',
    content: text,
    visible: true,
    session,
  });
  return {
    identity,
    session,
    device,
    entries: [
      entry(0, 'identity_cert', made.identityCert),
      entry(1, 'slug_binding', slugBinding),
      entry(2, 'device_cert', made.deviceCert),
      entry(3, 'subkey_cert', session.cert),
    ],
    sealedDm(to, id, text, sentAt = now) {
      const sealed = sealMessage(crypto, { ...draft(to, id, text, sentAt), recipients: [device, to.device] });
      if (!sealed.ok) throw new Error(sealed.error.message);
      return JSON.parse(JSON.stringify(sealed.value.envelope)) as Record<string, unknown>;
    },
    plainDm(to, id, text) {
      const plain = createPlaintextEnvelope(crypto, draft(to, id, text, now));
      if (!plain.ok) throw new Error(plain.error.message);
      return JSON.parse(JSON.stringify(plain.value)) as Record<string, unknown>;
    },
  };
}

const must = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('the envelope cannot be sealed again');
  return value;
};

const outerAad = (envelope: MessageEnvelope): Uint8Array => {
  const route = envelopeRoute(envelope);
  const aad = route.ok ? messageOuterAad(route.value) : route;
  if (!aad.ok) throw new Error(aad.error.message);
  return aad.value;
};

/**
 * An attack by a reader of a message together with its server (T6): the unchanged signed content in a new
 * envelope with a new id, sealed for `to`.
 */
export function sealedAgain(
  crypto: CryptoEngine,
  raw: unknown,
  reader: Puppet,
  to: Puppet,
  id: string,
): Record<string, unknown> {
  const old = messageEnvelopeSchema.parse(raw);
  const bytes = (text: string): Uint8Array => must(fromBase64Url(text));
  const wrap = (envelopeId: string, deviceId: string): Uint8Array => {
    const aad = wrapAad(envelopeId, deviceId);
    if (!aad.ok) throw new Error(aad.error.message);
    return aad.value;
  };
  const entry = must(old.recipients.find((each) => each.device_id === reader.device.deviceId));
  const sealedKey = { enc: bytes(entry.hpke_enc), ciphertext: bytes(entry.wrapped_content_key) };
  const own = crypto.x25519KeyPair(reader.identity.secrets.kem);
  const oldWrap = wrap(old.envelope_id, entry.device_id);
  const key = must(hpkeOpen(crypto, own, sealedKey, messageHpkeInfo, oldWrap));
  const nonce = bytes(old.content_nonce);
  const inside = must(crypto.aeadOpen(key, nonce, outerAad(old), bytes(old.content_ciphertext)));
  const { deviceId, kemPublicKey } = to.device;
  const wrapped = must(hpkeSeal(crypto, bytes(kemPublicKey), messageHpkeInfo, wrap(id, deviceId), key));
  const recipient = {
    device_id: deviceId,
    hpke_enc: toBase64Url(wrapped.enc),
    wrapped_content_key: toBase64Url(wrapped.ciphertext),
  };
  const fresh = { ...old, envelope_id: id, recipients: [recipient] };
  const ciphertext = crypto.aeadSeal(key, nonce, outerAad(fresh), inside);
  return { ...fresh, content_ciphertext: toBase64Url(ciphertext) };
}

/** A device certificate for `slug` under a different root, as a hostile registry would insert it. */
export function ghostDevice(crypto: CryptoEngine, slug: string, seq: number): RegistryEntry {
  const root = crypto.ed25519KeyPair();
  const keys = {
    signingPublicKey: crypto.ed25519KeyPair().public,
    kemPublicKey: crypto.x25519KeyPair().public,
  };
  return { seq, kind: 'device_cert', slug, cert: createDeviceCert(crypto, root, keys, start) };
}
