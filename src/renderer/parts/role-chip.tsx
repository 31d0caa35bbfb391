import type { AgentSummary } from '../../contract/model.ts';
import { visibleLine } from '../words/visible-text.ts';

/** The short role, unless it would only repeat the name. */
export function RoleChip({ agent }: { agent: AgentSummary }) {
  if (agent.roleShort === '' || agent.roleShort === agent.displayName) return null;
  return <bdi className="chip">{visibleLine(agent.roleShort)}</bdi>;
}
