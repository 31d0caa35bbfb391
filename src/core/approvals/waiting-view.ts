import type { ApprovalsView } from '../../contract/approvals.ts';
import { dmSlug } from '../../contract/room-id.ts';
import type { ApprovalRow } from './approval-ports.ts';

/** The question was sent to a channel, which its named approvers read, and not to the operator alone. */
export const isInChannel = ({ post }: Pick<ApprovalRow, 'post'>): boolean =>
  post !== null && dmSlug(post.roomId) === null;

/** Content of the topic `approvals`. */
export const waitingView = (rows: readonly Pick<ApprovalRow, 'approval' | 'post'>[]): ApprovalsView => ({
  waiting: Object.fromEntries(
    rows.map(({ approval, post }) => [
      approval.id,
      approval.gate ? { ...approval, isInChannel: isInChannel({ post }) } : approval,
    ]),
  ),
});
