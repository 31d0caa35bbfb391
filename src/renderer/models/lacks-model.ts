import type { AgentSummary } from '../../contract/model.ts';

/** Whether the agent cannot answer because its model settings miss a provider, an address, a key or a name. */
export const lacksModel = (agent: AgentSummary | null): boolean =>
  agent?.error?.where?.startsWith('runtime') === true;
