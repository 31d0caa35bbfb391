/** POST /v1/pair: pairs a device while the window is open, and the paired device again at any time. */
import { err, ok, type Result } from '../../contract/result.ts';
import {
  type BridgeHead,
  type BridgeRequest,
  type BridgeResponse,
  jsonResponse,
  refusal,
} from './bridge-types.ts';
import type { CurrentPairing } from './current-pairing.ts';
import type { PairWish } from './pair-request.ts';
import type { Pairing } from './pairing-file.ts';
import type { PairingWindow } from './pairing-window.ts';
import { bridgeFailed } from './route-context.ts';
import { type BridgeSignatures, type SignedHeaders, signedHeaders } from './signed-request.ts';

export interface PairRouteDeps {
  readonly signatures: BridgeSignatures;
  readonly pairings: CurrentPairing;
  readonly window: PairingWindow;
  /** The verified request; the error is the text of the 400. */
  readPair(request: BridgeRequest): Result<PairWish, string>;
  /** Called after too many failures, which closed the window. */
  onTooManyFailures(): void;
}

export interface PairRoute {
  /** Whether a request with these headers may try to pair now. */
  isOpen(head: BridgeHead): boolean;
  pair(request: BridgeRequest): BridgeResponse;
}

export const staleTimestamp = refusal(401, 'stale or missing x-puffo-timestamp');
export const windowClosed = refusal(403, 'pairing window closed');

function whyNot(window: PairingWindow, code: string | null): string {
  if (typeof window.state()?.device === 'string') return 'another device may pair';
  return code === null ? 'pairing code required' : 'wrong pairing code';
}

const claimsPairing = ({ slug, signer }: SignedHeaders, paired: Pairing | null): boolean =>
  paired !== null && slug === paired.slug && signer === paired.device_id;

/**
 * Clients pair again at each sign-in. The paired device needs no window for that, because it gains nothing.
 */
const isSameDevice = (paired: Pairing | null, asks: Pairing): boolean =>
  paired !== null &&
  paired.slug === asks.slug &&
  paired.device_id === asks.device_id &&
  paired.root_public_key === asks.root_public_key &&
  paired.device_signing_public_key === asks.device_signing_public_key;

export function createPairRoute(deps: PairRouteDeps): PairRoute {
  const { signatures, pairings, window, readPair, onTooManyFailures } = deps;
  const failed = (status: number, error: string): Result<never, BridgeResponse> => {
    if (window.failed()) onTooManyFailures();
    return err(refusal(status, error));
  };
  const readWish = (request: BridgeRequest, claim: SignedHeaders): Result<PairWish, BridgeResponse> => {
    const wish = readPair(request);
    if (!wish.ok) return failed(400, wish.error);
    if (claim.nonce.length > 200) return failed(400, 'nonce too long');
    if (signatures.isUsed(claim)) return failed(401, 'nonce already used');
    return pairings.mayManage(wish.value.pairing.root_public_key)
      ? wish
      : failed(403, 'only the operator of this computer may pair');
  };
  /** Whether the window is used up by this request, or the refusal. */
  const admit = ({ pairing, code }: PairWish, isAgain: boolean): Result<boolean, BridgeResponse> => {
    const isAdmitted = window.admits(pairing.device_id, code);
    if (isAgain || isAdmitted) return ok(isAdmitted);
    return window.state() ? failed(403, whyNot(window, code)) : err(windowClosed);
  };
  return {
    isOpen: (head) => window.state() !== null || claimsPairing(signedHeaders(head), pairings.read()),
    pair(request) {
      const claim = signedHeaders(request);
      const time = signatures.freshTime(claim);
      if (time === null) return staleTimestamp;
      const paired = pairings.read();
      if (!window.state() && !claimsPairing(claim, paired)) return windowClosed;
      const wish = readWish(request, claim);
      if (!wish.ok) return wish.error;
      const { pairing } = wish.value;
      const isAgain = isSameDevice(paired, pairing);
      const admitted = admit(wish.value, isAgain);
      if (!admitted.ok) return admitted.error;
      signatures.use(claim, time);
      const kept = pairings.replace(pairing, isAgain);
      if (!kept.ok) return bridgeFailed(kept.error);
      if (admitted.value) window.close();
      const { slug, device_id, paired_at } = pairing;
      return jsonResponse(200, { paired_slug: slug, paired_device_id: device_id, paired_at });
    },
  };
}
