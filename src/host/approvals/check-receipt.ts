import type { Approval } from '../../contract/approvals.ts';
import { verifyReceipt } from '../../core/approvals/receipt.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { CentreParts } from './open-approval-centre.ts';

type Parts = { readonly store: Pick<CentreParts['store'], 'receiptOf'>; readonly publicKey: string };

/** Whether this host signed the receipt of a question and the receipt matches the question. */
export function checkReceipt(
  crypto: Pick<CryptoEngine, 'ed25519Verify'>,
  { store, publicKey }: Parts,
  approval: Approval,
): { ok: boolean; problem: HostText } {
  const receipt = store.receiptOf(approval.id);
  const no = (problem: HostText) => ({ ok: false, problem });
  if (receipt === null) return no(say('approvals.noReceipt'));
  if (receipt.hostKey !== publicKey) return no(say('approvals.receiptForeignKey'));
  if (!verifyReceipt(crypto, receipt)) return no(say('approvals.receiptBadSignature'));
  const { decision } = approval;
  const same =
    receipt.digest === approval.digest &&
    receipt.agentId === approval.agentId &&
    receipt.tool === approval.subject &&
    receipt.at === decision?.at &&
    receipt.scope === decision.scope &&
    // Older receipts have no `by`.
    (receipt.by === undefined || receipt.by === decision.by) &&
    (receipt.answer === 'allow') === (approval.state === 'allowed');
  return same ? { ok: true, problem: '' } : no(say('approvals.receiptForOther'));
}
