import type { Approval } from '../../contract/approvals.ts';
import { useAsked } from '../state/approvals.ts';
import { ApprovalCard } from './approval-card.tsx';
import { SettledLine } from './settled-line.tsx';

interface ListOf {
  /** Waiting approvals, and those answered while the view was open. */
  readonly shown: readonly Approval[];
  readonly compact?: boolean;
  /** Id of the approval whose deny button gets the focus. */
  readonly focus?: string | null;
}

/** Waiting approvals as cards, answered ones as one line each. */
export function AskList({ shown, compact = false, focus = null }: ListOf) {
  const waiting = new Set(useAsked().map((approval) => approval.id));
  if (shown.length === 0) return null;
  return (
    <div className="ask-list">
      {shown.map((approval) =>
        waiting.has(approval.id) ? (
          <ApprovalCard
            key={`${approval.id} ${approval.digest}`}
            approval={approval}
            compact={compact}
            focus={approval.id === focus}
          />
        ) : (
          <SettledLine key={approval.id} approval={approval} />
        ),
      )}
    </div>
  );
}
