import { type ReactNode, useEffect, useState } from 'react';
import { ApprovalCard } from '../inbox/approval-card.tsx';
import { SettledLine } from '../inbox/settled-line.tsx';
import { keepAnswered, useAnswered, useAskedById } from '../state/approvals.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Message that carries an approval: a card while it waits, then one line with the answer. */
export function AskedAs({ id, otherwise }: { id: string; otherwise: ReactNode }) {
  const { link } = useReplica();
  const waiting = useAskedById(id);
  const answered = useAnswered(id);
  // An approval that was already answered at mount is not announced.
  const [old] = useState(waiting === null);
  const unknown = waiting === null && answered === null;
  useEffect(() => {
    if (!unknown) return;
    void link.call('approvals.get', { id }).then((result) => {
      if (result.ok && result.value.approval.state !== 'waiting')
        keepAnswered({ ...result.value, late: false });
    });
  }, [link, id, unknown]);
  if (waiting !== null) return <ApprovalCard key={waiting.digest} approval={waiting} compact />;
  return answered === null ? otherwise : <SettledLine approval={answered.approval} quiet={old} />;
}
