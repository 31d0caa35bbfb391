import type { AgentSummary } from '../../contract/model.ts';
import { visibleLine } from '../format/visible-text.ts';

/** The agent's short role; renders nothing if it repeats the name. */
export function RoleChip({ agent }: { agent: AgentSummary }) {
  const repeats = agent.roleShort.toLowerCase() === agent.displayName.toLowerCase();
  if (agent.roleShort === '' || repeats) return null;
  return <bdi className="chip">{visibleLine(agent.roleShort)}</bdi>;
}
