import { type Conversation, readConversation } from '../../core/agents/thread-key.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { HostContext } from '../context.ts';
import { taskTurn } from './task-turn.ts';

/** Characters of a result in the chat; all of it is with the task. */
const longest = 20_000;
/** ms; ends that are older are not told any more. */
const stale = 7 * 86_400_000;

function endWords({ id, status, result, failure }: Task): string {
  if (status !== 'error') {
    const text = (result ?? '').trim();
    const shown = cutCodePoints(text, longest);
    const short = shown === text ? text : `${shown}\n\n… "kennel task show ${id}" has all of it.`;
    return `Task ${id} is done.\n\n${short}`;
  }
  if (failure?.kind === 'cancelled') return `Task ${id} was cancelled. What it did until then is kept.`;
  const why = failure?.message ?? 'It failed.';
  return `Task ${id} did not come to its end: ${why}\n\nWhat it did is kept; "kennel task retry ${id}" goes on from there.`;
}

/** Where a message of this conversation goes; the empty root is none. */
export function channelOf(place: Conversation): { readonly channel: string; readonly rootId: string } {
  return { channel: place.kind === 'dm' ? `@${place.slug}` : place.channelId, rootId: place.rootId ?? '' };
}

/**
 * Tells the end of a task in the conversation it came from, as the agent that did it. The message has the same id
 * whenever it is told, so an end is told once, also where a crash came in between (F1).
 */
export async function tellEnd(context: HostContext, task: Task): Promise<boolean> {
  const { fleet, ports } = context;
  const { threadKey } = task.origin;
  const place = threadKey === null ? null : readConversation(threadKey);
  if (place === null) return true;
  const post = fleet.post(task.runner ?? task.agent ?? '');
  if (!post?.hands) return false;
  const messaging = await post.hands.messaging();
  const sent = await messaging.send({
    // With its date: numbers begin anew where a damaged store was put aside.
    ...{ turnId: taskTurn(task.id), callId: `end-${task.createdAt}-${task.claim}` },
    ...channelOf(place),
    ...{ text: endWords(task), visible: true },
  });
  if (!sent.ok) ports.log.warn('task_end_not_told', { task: task.id, code: sent.error.code });
  return sent.ok;
}

export const isFresh = ({ updatedAt }: Task, now: number): boolean => now - updatedAt < stale;
