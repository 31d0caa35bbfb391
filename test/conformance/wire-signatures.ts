/** Certificates, space events, signed requests and connect frames of the `puffo-wire` suite. */
import type { CryptoEngine } from '../../src/core/ports.ts';
import { signingInput } from '../../src/core/puffo/canonical-json.ts';
import {
  createAttestation,
  createDeviceCert,
  createDeviceRevocation,
  createIdentityCert,
  createSlugBinding,
  createSubkeyCert,
  verifyAttestation,
  verifyDeviceCert,
  verifyDeviceRevocation,
  verifyIdentityCert,
  verifySlugBinding,
  verifySubkeyCert,
} from '../../src/core/puffo/certificates.ts';
import { verifyEvent } from '../../src/core/puffo/events.ts';
import {
  readRequestClaim,
  requestSigningBytes,
  signRequest,
  verifyRequest,
} from '../../src/core/puffo/http-signing.ts';
import { findSubkey } from '../../src/core/puffo/registry.ts';
import { signObject } from '../../src/core/puffo/signatures.ts';
import type { DeviceCert, DeviceRevocation, IdentityCert, SubkeyCert } from '../../src/core/puffo/wire.ts';
import {
  connectSigningBytes,
  readConnect,
  signConnect,
  verifyConnect,
} from '../../src/core/puffo/ws-connect.ts';
import { type CaseResult, expectRefused, expectSame, must, type Suite, testCase } from './case.ts';
import {
  bytes,
  type CertRow,
  changed,
  fixedRandom,
  hexOf,
  identityOf,
  type Json,
  keyByPublic,
  scripted,
  text,
  unhex,
  type WireFile,
} from './wire-world.ts';

type Verdict = { readonly ok: boolean };

function verifyCert(engine: CryptoEngine, cert: unknown, type: unknown, signer: string): Verdict {
  switch (type) {
    case 'identity_cert':
      return verifyIdentityCert(engine, cert);
    case 'slug_binding':
      return verifySlugBinding(engine, cert);
    case 'device_cert':
      return verifyDeviceCert(engine, cert);
    case 'subkey_cert':
      return verifySubkeyCert(engine, cert, signer);
    case 'operator_attestation':
      return verifyAttestation(engine, cert);
    case 'device_revocation':
      return verifyDeviceRevocation(engine, cert);
    default:
      throw new Error(`unknown certificate ${String(type)}`);
  }
}

/** Forms that are read but never written: the flat encryption key of old devices, a subkey without an end. */
const isLegacy = (cert: Json): boolean =>
  (cert.type === 'device_cert' && 'kem_public_key' in cert) ||
  (cert.type === 'subkey_cert' && (cert.expires_at ?? null) === null);

/**
 * The same certificate, created by the product from the secrets in the file; a legacy one is signed
 * unchanged.
 */
function remake(engine: CryptoEngine, file: WireFile, row: CertRow): unknown {
  const signer = keyByPublic(file, row.signer_public_key);
  const cert = row.cert;
  if (isLegacy(cert))
    return { ...cert, signature: must(signObject(engine, cert, signer.secret), 'signature') };
  const issuedAt = cert.issued_at as number;
  switch (cert.type) {
    case 'identity_cert': {
      const { identity_type: type, declared_operator_public_key: operator } = cert as unknown as IdentityCert;
      return createIdentityCert(engine, signer, { type, operatorRootPublicKey: operator });
    }
    case 'slug_binding':
      return createSlugBinding(engine, signer, String(cert.slug), issuedAt);
    case 'device_cert': {
      const { keys, expires_at: expiresAt } = cert as unknown as DeviceCert;
      const own = {
        signingPublicKey: bytes(keys.signing.public_key),
        kemPublicKey: bytes(keys.encryption?.public_key),
      };
      return createDeviceCert(engine, signer, own, issuedAt, expiresAt ?? null);
    }
    case 'subkey_cert': {
      const {
        device_id: deviceId,
        subkey_public_key: key,
        expires_at: expiresAt,
      } = cert as unknown as SubkeyCert;
      const grant = { deviceId, subkeyPublicKey: bytes(key), issuedAt, expiresAt: expiresAt ?? 0 };
      return createSubkeyCert(engine, signer.secret, grant);
    }
    case 'operator_attestation': {
      const fixed = scripted(engine, [bytes(cert.nonce)]);
      return createAttestation(fixed, signer, String(cert.agent_root_public_key), issuedAt);
    }
    case 'device_revocation': {
      const { device_id: deviceId, effective_from: effectiveFrom } = cert as unknown as DeviceRevocation;
      return createDeviceRevocation(engine, signer, { deviceId, effectiveFrom, issuedAt });
    }
    default:
      throw new Error(`unknown certificate ${String(cert.type)}`);
  }
}

const certs =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    Object.entries(value as Record<string, CertRow>).map(([name, row]) =>
      testCase(name, () => {
        const input = must(signingInput(row.cert), 'signing input');
        expectSame(text(input), row.signing_input_utf8, 'signing input');
        if (row.signing_input_sha256_hex !== undefined) {
          expectSame(hexOf(engine.sha256(input)), row.signing_input_sha256_hex, 'hash of the signing input');
        }
        const type = row.cert.type;
        must(verifyCert(engine, row.cert, type, row.signer_public_key) as never, 'verification');
        expectSame(remake(engine, file, row), row.cert, 'made by us');
        const member = 'self_signature' in row.cert ? 'self_signature' : 'signature';
        const forged = { ...row.cert, [member]: changed(row.signature) };
        expectRefused(verifyCert(engine, forged, type, row.signer_public_key), 'a changed signature');
        const extended = { ...row.cert, extra: 1 };
        expectRefused(verifyCert(engine, extended, type, row.signer_public_key), 'an added member');
      }),
    );

interface EventRow {
  readonly event: Json;
  readonly signing_input_utf8: string;
  readonly post_body?: { readonly events: readonly Json[] };
}

const eventTime = (event: Json): number => {
  const payload = event.payload as Record<string, unknown>;
  return Number(Object.entries(payload).find(([name]) => /_at$|_from$/.test(name))?.[1]);
};

const events =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    (value as EventRow[]).map(({ event, signing_input_utf8: expected, post_body: body }) =>
      testCase(String(event.kind), () => {
        expectSame(text(must(signingInput(event), 'signing input')), expected, 'signing input');
        const signer = identityOf(engine, file, String(event.signer_slug));
        const at = eventTime(event);
        must(verifyEvent(engine, event, signer, at), 'verification');
        const { publicKey } = must(findSubkey(signer, String(event.signer_subkey_id), at), 'subkey');
        const signature = signObject(engine, event, keyByPublic(file, publicKey).secret);
        expectSame(must(signature, 'signature'), event.signature, 'signed by us');
        for (const sent of body?.events ?? []) expectSame(sent, event, 'event of the request');
        const moved = { ...event, payload: { ...(event.payload as Json), space_id: 'sp_other' } };
        expectRefused(verifyEvent(engine, moved, signer, at), 'a changed payload');
      }),
    );

interface HttpRow {
  readonly method: string;
  readonly path: string;
  readonly body_hex: string;
  readonly signer_public_key: string;
  readonly signing_input_hex: string;
  readonly headers: Readonly<Record<string, string>>;
}

const http =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    (value as HttpRow[]).map((row) =>
      testCase(`${row.method} ${row.path}`, () => {
        const { headers } = row;
        const request = { method: row.method, target: row.path, body: unhex(row.body_hex) };
        const claim = must(
          readRequestClaim((name) => headers[name]),
          'headers',
        );
        const input = requestSigningBytes(request, String(claim.timestamp), claim.nonce);
        expectSame(hexOf(input), row.signing_input_hex, 'signing input');
        must(verifyRequest(engine, request, claim, row.signer_public_key, claim.timestamp), 'verification');
        const { secret } = keyByPublic(file, row.signer_public_key);
        const signer = { slug: claim.slug, signerId: claim.signerId, secret };
        const made = signRequest(engine, request, signer, claim.timestamp, fixedRandom(bytes(claim.nonce)));
        const { 'content-type': _, ...signed } = headers;
        expectSame(made, signed, 'signed by us');
        const moved = { ...request, target: `${request.target}x` };
        expectRefused(
          verifyRequest(engine, moved, claim, row.signer_public_key, claim.timestamp),
          'another target',
        );
      }),
    );

interface ConnectRow {
  readonly signing_input_utf8: string;
  readonly frame: Json;
}

const connect =
  (engine: CryptoEngine) =>
  (value: unknown, file: WireFile): readonly CaseResult[] =>
    (Array.isArray(value) ? (value as ConnectRow[]) : [value as ConnectRow]).map((row, i) =>
      testCase(`frame ${i + 1}`, () => {
        const frame = must(readConnect(row.frame), 'frame');
        expectSame(text(connectSigningBytes(frame)), row.signing_input_utf8, 'signing input');
        const signer = identityOf(engine, file, frame.slug);
        const { publicKey } = must(findSubkey(signer, frame.subkey_id, frame.timestamp), 'subkey');
        must(verifyConnect(engine, frame, publicKey, frame.timestamp), 'verification');
        const { secret } = keyByPublic(file, publicKey);
        const session = { subkeyId: frame.subkey_id, secret, expiresAt: 0, cert: null };
        const made = signConnect(
          engine,
          { slug: frame.slug, session },
          frame.timestamp,
          fixedRandom(bytes(frame.nonce)),
        );
        expectSame(made, row.frame, 'signed by us');
        expectRefused(
          verifyConnect(engine, { ...frame, slug: `${frame.slug}x` }, publicKey, frame.timestamp),
          'another slug',
        );
      }),
    );

export const signatures = (engine: CryptoEngine): Suite => ({
  certs: certs(engine),
  signed_events: events(engine),
  http_signing: http(engine),
  ws_connect: connect(engine),
});
