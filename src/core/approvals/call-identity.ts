/**
 * Finds the question that a call has been asked about before: after a crash it is the same question and the same
 * answer, never a second one; and an answer given to one call is never taken for another's.
 */
import type { GateCall } from '../tool-ports.ts';
import type { ApprovalRow } from './approval-ports.ts';

interface Asked extends Pick<GateCall, 'turnId' | 'threadKey' | 'resumed' | 'tool'> {
  /** Canonical. */
  readonly argsJson: string;
}

/**
 * `earlier`: questions about this call id, newest first. An answer that was handed over in this
 * run of the host is used up, whatever the ids say; one handed over before a crash belongs to the call only if the
 * turn is the same. A call that is known to have begun and never ended keeps its answer either way.
 */
export function sameQuestion(
  earlier: readonly ApprovalRow[],
  call: Asked,
  handedOverHere: ReadonlySet<string>,
): ApprovalRow | null {
  const fits = (row: ApprovalRow): boolean => {
    const { approval, deliveredAt } = row;
    if (approval.subject !== call.tool || approval.argsJson !== call.argsJson) return false;
    if (approval.kind === 'tool' && row.call?.threadKey !== call.threadKey) return false;
    if (approval.state === 'cancelled') return false;
    if (call.resumed === true || deliveredAt === null) return true;
    return row.call?.turnId === call.turnId && !handedOverHere.has(approval.id);
  };
  const usable = earlier.filter(fits);
  return usable.find(({ call: asked }) => asked?.turnId === call.turnId) ?? usable[0] ?? null;
}

/**
 * The answer is about what was shown. A call that would touch something else by now, or change it in another way before
 * it has begun, voids a yes; a no stays a no. Questions of versions that digested the arguments alone are never the same.
 */
export function stillAsShown(
  { approval, deliveredAt }: ApprovalRow,
  { assessment }: Pick<GateCall, 'assessment'>,
  digest: string,
): boolean {
  if (approval.state !== 'waiting' && approval.state !== 'allowed') return true;
  const sameBody = deliveredAt !== null || approval.preview.body === assessment.preview.body;
  return sameBody && approval.digest === digest;
}
