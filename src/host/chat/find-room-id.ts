import type { RoomsView } from '../../contract/model.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import { type Addressable, findTarget } from './find-room.ts';

export interface FindRoomIdDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly chat: {
    refreshRooms(): RoomsView;
    readonly people: { all(): Iterable<Addressable['people'][number]> };
  };
}

/** Room id of a channel, person or agent by the name that a person wrote. */
export function findRoomId({ chat, agents }: FindRoomIdDeps, wanted: string): Result<string> {
  const view = chat.refreshRooms();
  const target = findTarget(wanted, {
    rooms: Object.values(view.rooms),
    spaceNames: new Map(view.spaces.map((space) => [space.id, space.name])),
    agents: agents.list().map((agent) => {
      const { puffo_core: core, display_name: displayName } = configInForce(agent);
      return { id: agent.id, slug: core.slug || null, displayName };
    }),
    people: [...chat.people.all()],
  });
  return target.ok ? ok(target.value.roomId) : target;
}
