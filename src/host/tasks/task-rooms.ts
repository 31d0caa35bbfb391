import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { dmRoomAcross, dmRoomId, dmSlug } from '../../contract/room-id.ts';
import { conversationIn, readConversation, threadKey } from '../../core/agents/thread-key.ts';
import type { Task, TaskOrigin } from '../../core/tasks/task.ts';
import type { TaskAgents } from './task-agents.ts';

export interface TaskRoomsDeps {
  readonly agents: Pick<TaskAgents, 'runner'>;
  /** The operator's account, or `null` without one. */
  self(): {
    readonly slug: string;
    readonly account: { rooms(): { readonly channels: readonly { readonly id: string }[] } };
  } | null;
}

interface WantedRoom {
  readonly room?: string | undefined;
  readonly rootId?: string | undefined;
}

/** Maps the operator's rooms to the conversations of tasks, and back. */
export interface TaskRooms {
  /** The conversation for the result, as the executing agent sees it. */
  origin(via: TaskOrigin['via'], agentId: string | null, wanted: WantedRoom): Result<TaskOrigin>;
  /** The conversation for the result from the operator's side, or `null`s if they are not a member. */
  placeOf(task: Pick<Task, 'origin' | 'runner' | 'agent'>): {
    readonly roomId: string | null;
    readonly rootId: string | null;
  };
}

const nowhere = { roomId: null, rootId: null };

export function createTaskRooms({ agents, self }: TaskRoomsDeps): TaskRooms {
  const isMember = (channel: string): boolean =>
    self()
      ?.account.rooms()
      .channels.some(({ id }) => id === channel) === true;
  return {
    origin(via, agentId, { room, rootId }) {
      if (room === undefined) return ok({ via, threadKey: null });
      const operator = self();
      if (!operator) return err(fail('unavailable', 'tasks.notSignedUp'));
      const slug = dmSlug(room);
      if (slug === null) {
        if (!isMember(room)) return err(fail('not_found', 'tasks.notInChannel'));
        return ok({ via, threadKey: threadKey(conversationIn(room, rootId ?? null)) });
      }
      if (agentId === null || agents.runner(agentId)?.slug !== slug) {
        return err(fail('invalid_input', 'tasks.resultToDoerOnly', {}, { help: 'tasks.nameAgentOrChannel' }));
      }
      const there = conversationIn(dmRoomAcross(room, operator.slug), rootId ?? null);
      return ok({ via, threadKey: threadKey(there) });
    },
    placeOf({ origin, runner, agent }) {
      const place = origin.threadKey === null ? null : readConversation(origin.threadKey);
      if (place === null) return nowhere;
      const { rootId } = place;
      if (place.kind === 'channel')
        return isMember(place.channelId) ? { roomId: place.channelId, rootId } : nowhere;
      const slug = agents.runner(runner ?? agent ?? '')?.slug;
      return slug && place.slug === self()?.slug
        ? { roomId: dmRoomId(slug, place.conversationId), rootId }
        : nowhere;
    },
  };
}
