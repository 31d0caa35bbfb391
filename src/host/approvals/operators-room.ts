import type { AgentFacts } from '../../core/approvals/approval-ports.ts';
import type { HostContext } from '../context.ts';

/** `dm:<slug>` or `<channel>/<root>`, seen from the operator's side; null where they are not a member. */
export function operatorsRoom(
  context: Pick<HostContext, 'fleet' | 'operator'>,
  agentId: string,
  threadKey: string,
): AgentFacts['room'] {
  const session = context.operator.session();
  const slug = context.fleet.post(agentId)?.slug;
  if (!session || !slug) return null;
  if (threadKey.startsWith('dm:')) {
    return threadKey === `dm:${session.self.slug}` ? { roomId: `dm:${slug}`, threadRootId: null } : null;
  }
  const slash = threadKey.indexOf('/');
  const roomId = slash < 0 ? threadKey : threadKey.slice(0, slash);
  const member = session.self.account.rooms().channels.some(({ id }) => id === roomId);
  return member ? { roomId, threadRootId: slash < 0 ? null : threadKey.slice(slash + 1) } : null;
}
