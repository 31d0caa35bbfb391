import type { Approval } from '../../contract/approvals.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import type { ConsentStore } from '../../core/approvals/approval-ports.ts';
import { englishText } from '../../language/host-message.ts';

type Wish = Omit<MethodParsed<'approvals.list'>, 'agent'>;

/** Rows per query when a filter may match only old questions. */
const longStep = 200;

const matches = ({ kind, answer, text = '' }: Wish, approval: Approval): boolean => {
  if (kind !== undefined && approval.kind !== kind) return false;
  if (answer !== undefined && approval.state !== answer) return false;
  const { agentName, title, subject, preview, where, decision } = approval;
  const all = [agentName, title, subject, preview.body, where, decision?.reason ?? ''];
  return all.map(englishText).join('\n').toLowerCase().includes(text.trim().toLowerCase());
};

/** Matching questions, newest first; a page is full unless no more exist. */
export function searchQuestions(
  store: Pick<ConsentStore, 'list'>,
  agent: string | undefined,
  wish: Wish,
): { approvals: Approval[]; hasMore: boolean } {
  const { state, limit, kind, answer, text = '' } = wish;
  const picky = kind !== undefined || answer !== undefined || text.trim() !== '';
  const step = picky ? longStep : limit + 1;
  const approvals: Approval[] = [];
  for (let before = wish.before; ; ) {
    const query = { state, limit: step, ...(agent ? { agent } : {}), ...(before ? { before } : {}) };
    const rows = store.list(query);
    for (const { approval } of rows) {
      if (!matches(wish, approval)) continue;
      if (approvals.length === limit) return { approvals, hasMore: true };
      approvals.push(approval);
    }
    if (rows.length < step) return { approvals, hasMore: false };
    before = rows.at(-1)?.approval.id;
  }
}
