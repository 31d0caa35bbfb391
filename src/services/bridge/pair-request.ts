/**
 * POST /v1/pair (spec §4.2): verifies that the requester is a human with matching certificates who signed
 * this very request.
 */
import { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { BridgeRequest, ParseJson } from './bridge-types.ts';
import { checkDevice, checkIdentity, checkSlug } from './cert-checks.ts';
import type { Pairing } from './pairing-file.ts';
import { signatureFault, signedHeaders } from './signed-request.ts';

const certificate = z.record(z.string(), z.unknown());
const bodySchema = z.object({
  identity_cert: certificate,
  device_cert: certificate,
  slug_binding: certificate,
  /** For clients that ask for the operator's code. */
  pairing_code: z.string().max(20).nullish(),
});

export interface PairWish {
  readonly pairing: Pairing;
  /** `null` if the client sends no code. */
  readonly code: string | null;
}

const hasCerts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['identity_cert', 'device_cert', 'slug_binding'].every((name) => Reflect.get(value, name));

export interface PairDeps {
  readonly crypto: CryptoEngine;
  readonly parseJson: ParseJson;
}

/** The error is the text of the 400. `now` is in ms since the epoch; the timestamp was checked before. */
export function readPairRequest(
  { crypto, parseJson }: PairDeps,
  request: BridgeRequest,
  now: number,
): Result<PairWish, string> {
  const parsed = request.body.length === 0 ? null : parseJson(request.body);
  if (!parsed) return err('body must be JSON');
  if (!hasCerts(parsed.value)) return err('identity_cert, device_cert, and slug_binding all required');
  const body = bodySchema.safeParse(parsed.value);
  if (!body.success) return err('identity_cert, device_cert, and slug_binding all required');
  const identity = checkIdentity(crypto, body.data.identity_cert);
  if (!identity.ok) return identity;
  const device = checkDevice(crypto, body.data.device_cert, identity.value, now);
  if (!device.ok) return device;
  const binding = checkSlug(crypto, body.data.slug_binding, identity.value);
  if (!binding.ok) return binding;
  if (identity.value.identity_type !== 'human') return err("identity_type must be 'human'");
  const claim = signedHeaders(request);
  if (claim.slug !== binding.value.slug) return err('slug_binding.slug does not match x-puffo-slug');
  if (claim.signer !== device.value.device_id) {
    return err('device_cert.device_id does not match x-puffo-signer-id');
  }
  if (claim.nonce === '' || claim.signature === '') return err('missing x-puffo-nonce or x-puffo-signature');
  const { public_key: key } = device.value.keys.signing;
  const fault = signatureFault(crypto, request, claim, fromBase64Url(key) ?? new Uint8Array());
  if (fault !== null) return err(`signature: ${fault}`);
  return ok({
    code: body.data.pairing_code ?? null,
    pairing: {
      slug: binding.value.slug,
      device_id: device.value.device_id,
      root_public_key: identity.value.root_public_key,
      device_signing_public_key: key,
      identity_cert: body.data.identity_cert,
      device_cert: body.data.device_cert,
      paired_at: now,
    },
  });
}
