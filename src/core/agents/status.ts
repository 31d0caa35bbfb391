/** Reduces an agent's life, connection, work and last failure to one status dot. */
import type { AgentLife, Connection, Dot } from '../../contract/model.ts';

export interface AgentCondition {
  readonly life: AgentLife;
  readonly connection: Connection;
  readonly working: boolean;
  /** A question waits for the operator; local only, never sent to the server. */
  readonly needsYou: boolean;
  /** The last turn failed, and none has succeeded since. */
  readonly failed: boolean;
}

/** The amber ring overrides everything, red overrides yellow; an unreachable agent is always white. */
export function statusDot(agent: AgentCondition): Dot {
  if (agent.needsYou) return 'needs_you';
  switch (agent.life) {
    case 'gave_up':
    case 'broken':
    case 'backing_off':
      return 'error';
    case 'paused':
    case 'not_connected':
    case 'stopping':
      return 'offline';
    case 'starting':
    case 'running':
      break;
  }
  if (agent.connection === 'blocked') return 'error';
  if (agent.working) return 'working';
  if (agent.connection !== 'online') return 'offline';
  return agent.failed ? 'error' : 'idle';
}
