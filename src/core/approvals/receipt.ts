/** Receipts: the host's signature over each decision. */
import type { Approval, Receipt } from '../../contract/approvals.ts';
import { fromBase64Url, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';
import type { ReceiptSigner } from './approval-ports.ts';
import { stableJson } from './digest.ts';

/** Everything except the signature; the label separates it from signatures over other data. */
function signedBytes({ signature: _, ...fields }: Receipt): Uint8Array {
  return utf8(`kennel/receipt/v1\0${stableJson(fields) ?? ''}`);
}

const answers = { allowed: 'allow', denied: 'deny', expired: 'expired', cancelled: 'cancelled' } as const;

/** Requires a decided question. */
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

export function verifyReceipt(crypto: Pick<CryptoEngine, 'ed25519Verify'>, receipt: Receipt): boolean {
  const key = fromBase64Url(receipt.hostKey);
  const signature = fromBase64Url(receipt.signature);
  if (key?.length !== 32 || signature?.length !== 64) return false;
  return crypto.ed25519Verify(signature, signedBytes(receipt), key);
}
