/**
 * Finds the earlier question of a call: after a crash the same question and answer apply, never a second
 * question; an answer to one call never applies to another.
 */
import type { GateCall } from './approval-gate.ts';
import type { ApprovalRow } from './approval-ports.ts';

interface Asked extends Pick<GateCall, 'turnId' | 'threadKey' | 'resumed' | 'tool'> {
  /** Canonical JSON. */
  readonly argsJson: string;
}

/**
 * `earlier`: questions about this call id, newest first. An answer delivered in this host run is used up,
 * whatever the ids; one delivered before a crash applies only in the same turn. A call known to have started
 * without ending keeps its answer either way.
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
 * An answer covers what was shown. A call that would now touch something else, or change it differently
 * before it has started, voids an approval; a rejection stays. Questions of versions that hashed only the
 * arguments never match.
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
