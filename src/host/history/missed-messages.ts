import type { MethodOutput } from '../../contract/methods.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { RoomNames } from '../chat/room-name.ts';
import { type RunningAgents, whyOne } from './explain-decisions.ts';
import { hitOf } from './search-messages.ts';

type Missed = MethodOutput<'chat.missed'>;

export interface MissedDeps {
  readonly fleet: RunningAgents;
  readonly chat: RoomNames;
}

/** Unanswered messages to these agents after `since` (ms), newest first, and the agents that do not run. */
export function missed(
  { fleet, chat }: MissedDeps,
  agents: readonly LoadedAgent[],
  { since, limit }: { readonly since: number; readonly limit: number },
): Missed {
  const all: Missed['missed'] = [];
  const closed: Missed['closed'] = [];
  for (const agent of agents) {
    const store = fleet.post(agent.id)?.store;
    if (!store) {
      closed.push(whyOne(fleet, agent, null));
      continue;
    }
    for (const message of store.queries.unanswered(since, limit)) {
      all.push({ ...whyOne(fleet, agent, message), message: hitOf(chat, message, '') });
    }
  }
  return { missed: all.sort((a, b) => b.message.sentAt - a.message.sentAt).slice(0, limit), closed };
}
