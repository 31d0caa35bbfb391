/** Receipts: what the host's key vouches for, once per decision. */
import type { Approval, Receipt } from '../../contract/consent.ts';
import { fromBase64Url, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';
import type { ReceiptSigner } from './approval-ports.ts';
import { stableJson } from './digest.ts';

/** Everything but the signature; the label keeps it from being taken for a signature over something else. */
function signedBytes({ signature: _, ...fields }: Receipt): Uint8Array {
  return utf8(`kennel/receipt/v1\0${stableJson(fields) ?? ''}`);
}

const answers = { allowed: 'allow', denied: 'deny', expired: 'expired', cancelled: 'cancelled' } as const;

/** Of a question that has been decided. */
export function receiptFor(approval: Approval, id: string, signer: ReceiptSigner): Receipt {
  const { state, decision, gate } = approval;
  if (state === 'waiting' || !decision) throw new Error('a receipt is for a decision');
  const receipt: Receipt = {
    id,
    approvalId: approval.id,
    agentId: approval.agentId,
    tool: approval.subject,
    digest: approval.digest,
    answer: answers[state],
    scope: decision.scope,
    surface: decision.surface,
    ...(decision.by ? { by: decision.by } : {}),
    ...(gate && gate.votes.length > 0 ? { agreed: gate.votes } : {}),
    at: decision.at,
    hostKey: signer.publicKey,
    signature: '',
  };
  return { ...receipt, signature: signer.sign(signedBytes(receipt)) };
}

/** Whether `receipt` was signed by the key it names. */
export function verifyReceipt(crypto: Pick<CryptoEngine, 'ed25519Verify'>, receipt: Receipt): boolean {
  const key = fromBase64Url(receipt.hostKey);
  const signature = fromBase64Url(receipt.signature);
  if (key?.length !== 32 || signature?.length !== 64) return false;
  return crypto.ed25519Verify(signature, signedBytes(receipt), key);
}
