/** How full the context of each agent's program is, as the program last reported it; kept until the host ends. */
import type { Clock } from '../../core/ports.ts';

export interface AgentContext {
  /** Tokens. */
  readonly used: number;
  /** Tokens that the model can hold; `null` if the program does not say. */
  readonly size: number | null;
  /** ms since the epoch. */
  readonly at: number;
}

export interface AgentContexts {
  note(agentId: string, context: Pick<AgentContext, 'used' | 'size'>): void;
  of(agentId: string): AgentContext | null;
}

export function createProgramContexts({ clock }: { readonly clock: Clock }): AgentContexts {
  const known = new Map<string, AgentContext>();
  return {
    note(agentId, { used, size }) {
      // Some reports name only one of both.
      known.set(agentId, { used, size: size ?? known.get(agentId)?.size ?? null, at: clock.now() });
    },
    of: (agentId) => known.get(agentId) ?? null,
  };
}
