import { fromOldKey } from '../../core/agents/thread-key.ts';
import type { Clock } from '../../core/ports.ts';
import type { GateState, RunState } from '../../core/workflows/engine/run-state.ts';
import type { RunQueries } from '../../core/workflows/views/run-queries.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { OperatorsRoom } from '../approvals/operators-room.ts';
import type { Operator } from '../identity/operator.ts';
import type { AskedIn } from './gate-text.ts';

// Names the starter and the approvers of runs.

/** Name of the operator as starter and approver of local runs. */
export const operatorName = 'operator';

export interface RunPartiesDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly operator: Pick<Operator, 'session'>;
  readonly operatorsRoom: OperatorsRoom;
  readonly clock: Clock;
}

export interface RunParties {
  /** The agent that started a run; `null` if none did, even if an agent has the starter's name. */
  agentOf(initiatedBy: string | null): string | null;
  /** The context of a gate's question. */
  askedIn(queries: RunQueries, state: RunState, gate: GateState): AskedIn;
  /**
   * The operator's name as approver of a gate, or outside of a gate if both are `null`. A rule that excludes
   * the initiator must recognize the operator, who may have started the run under the local name.
   */
  approverName(state: RunState | null, gate: GateState | null): string;
}

const starterText = (initiatedBy: string | null): HostText =>
  initiatedBy === operatorName
    ? say('approvals.starterYou')
    : (initiatedBy ?? say('approvals.starterUnknown'));

export function createRunParties({ agents, operator, operatorsRoom, clock }: RunPartiesDeps): RunParties {
  const findAgent = (initiatedBy: string | null) =>
    initiatedBy === null || initiatedBy === operatorName ? null : (agents.get(initiatedBy) ?? null);
  return {
    agentOf: (initiatedBy) => findAgent(initiatedBy)?.id ?? null,
    askedIn(queries, state, gate) {
      const starter = findAgent(state.initiatedBy);
      const name = starter ? configInForce(starter).display_name || starter.id : '';
      const row = queries.find(state.id);
      const thread = state.origin?.thread;
      return {
        run: state.id,
        runName: row.ok ? queries.name(row.value) : state.id,
        definition: state.definition,
        origin: state.origin,
        starter: starter ? name : starterText(state.initiatedBy),
        agent: starter ? { id: starter.id, name } : null,
        room: starter && thread !== undefined ? operatorsRoom(starter.id, fromOldKey(thread)) : null,
        askedAt: queries.live(state.id).opened.get(gate.id) ?? clock.now(),
      };
    },
    approverName(state, gate) {
      const starters = [state?.initiatedBy, state?.forkedFrom?.by];
      const isInitiator = starters.includes(operatorName) && gate?.content.approvers.notInitiator === true;
      return isInitiator ? operatorName : (operator.session()?.self.slug ?? operatorName);
    },
  };
}
