import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import { mainRoom } from '../../contract/room-id.ts';
import { taskList } from '../../contract/task-text.ts';
import { toVisibleText } from '../../contract/visible-text.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { taskCommand } from '../../core/agents/task-command.ts';
import { conversationIn, readConversation, roomIdOf, threadKey } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { fenceFor } from '../../core/approvals/shown-text.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import { isPrivate } from '../../core/policy/audience.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Task } from '../../core/tasks/task.ts';
import { taskTurn } from '../../core/tasks/task-turn.ts';
import type { TaskAgents, TaskCapabilities } from './task-agents.ts';
import { taskChannel } from './task-ends.ts';
import type { TaskService } from './task-service.ts';

export interface ChatTasks {
  readonly agents: Pick<TaskAgents, 'runner'>;
  readonly service: Result<Pick<TaskService, 'add' | 'store'>>;
}

const longestGoal = 50_000;
const listed = 10;
/** Tasks searched for those of one room. */
const searched = 200;
/** Most code points of a goal in the list. */
const goalPoints = 300;

const failed = ({ message, hint }: AppError): string =>
  `That did not become a task: ${message}${hint ? ` ${hint}` : ''}`;

function take({ service }: ChatTasks, agentId: string, said: StoredMessage, origin: string, goal: string) {
  if (goal === '')
    return { id: 0, text: 'What shall I do? Write it behind the word, e.g. `/task sum up the notes`.' };
  if (goal.length > longestGoal) return { id: 0, text: `A task has at most ${longestGoal} characters.` };
  if (!service.ok) return { id: 0, text: failed(service.error) };
  const { task } = service.value.add({
    goal,
    agent: agentId,
    key: `chat:${agentId}:${said.envelopeId}`,
    origin: { via: 'chat', threadKey: origin },
  });
  return { id: task.id, text: `Task ${task.id}: I have it on my list, and tell you here how it ends.` };
}

const roomOf = ({ origin }: Pick<Task, 'origin'>): string | null => {
  const place = origin.threadKey === null ? null : readConversation(origin.threadKey);
  return place && mainRoom(roomIdOf(place));
};

/** Goals may come from untrusted content, so they are in a fence, short and without hidden characters (T8). */
function listText(tasks: readonly Task[]): string {
  const text = taskList(tasks.map((task) => ({ ...task, goal: cutCodePoints(task.goal, goalPoints) })));
  const fence = fenceFor(text);
  return [fence, toVisibleText(text), fence].join('\n');
}

const noTasks = 'I have no tasks. Give me one with `/task` and what to do.';
const othersLeftOut = 'Tasks from elsewhere are not listed here, because others read this.';

/** If others read the room `onlyOf`, they get to know the tasks that this room gave, and no others (T9). */
function list({ service }: ChatTasks, agentId: string, onlyOf: string | null): string {
  if (!service.ok) return failed(service.error);
  const own = service.value.store.list({ agent: agentId, limit: onlyOf === null ? listed : searched });
  const fitting = own.filter((task) => onlyOf === null || roomOf(task) === mainRoom(onlyOf));
  const parts = fitting.length > 0 ? [listText(fitting.slice(0, listed).toReversed())] : [];
  if (fitting.length < own.length) parts.push(othersLeftOut);
  return parts.length === 0 ? noTasks : parts.join('\n');
}

/** The room, if others than the operator and the operator's agents read it; else `null`. */
async function restrictedTo(
  { audience }: Pick<TaskCapabilities, 'audience'>,
  roomId: string,
): Promise<string | null> {
  return audience.isOwnRoom(roomId) || isPrivate(await audience.of(roomId)) ? null : roomId;
}

/**
 * Carries out a command of the operator in a message to an agent. Idempotent, so it can run again after a
 * crash. Returns false if it is not possible now.
 */
export async function heedMessage(by: ChatTasks, agentId: string, said: StoredMessage): Promise<boolean> {
  const post = by.agents.runner(agentId);
  const command = taskCommand(messageText(said).text);
  if (!command || !post?.capabilities || !post.store) return false;
  const { store } = post;
  const rootId = threadRootOf(said, (id) => store.message(id));
  const place = conversationIn(said.roomId, rootId);
  const answer =
    command.type === 'tasks'
      ? { id: 0, text: list(by, agentId, await restrictedTo(post.capabilities, said.roomId)) }
      : take(by, agentId, said, threadKey(place), command.goal);
  const messaging = await post.capabilities.messaging();
  const sent = await messaging.send({
    turnId: taskTurn(0),
    callId: `heard-${said.envelopeId}`,
    ...taskChannel(place),
    text: answer.text,
    visible: true,
  });
  return sent.ok;
}
