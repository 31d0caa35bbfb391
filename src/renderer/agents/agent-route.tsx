import { AgentPage } from './agent-page.tsx';
import { NoAgentChosen } from './no-agent-chosen.tsx';

export function AgentRoute({ agent }: { agent: string | null }) {
  return agent === null ? <NoAgentChosen /> : <AgentPage key={agent} id={agent} />;
}
