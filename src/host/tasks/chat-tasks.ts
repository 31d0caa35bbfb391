import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import { taskList } from '../../contract/task-text.ts';
import { messageText } from '../../core/agents/message-text.ts';
import { taskCommand } from '../../core/agents/task-command.ts';
import { conversationIn, threadKey } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { taskTurn } from '../../core/tasks/task-turn.ts';
import type { TaskAgents } from './task-agents.ts';
import { taskChannel } from './task-ends.ts';
import type { TaskService } from './task-service.ts';

export interface ChatTasks {
  readonly agents: Pick<TaskAgents, 'runner'>;
  readonly service: Result<TaskService>;
}

const longestGoal = 50_000;
const listed = 10;

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

function list({ service }: ChatTasks, agentId: string): string {
  if (!service.ok) return failed(service.error);
  const own = service.value.store.list({ agent: agentId, limit: listed });
  return own.length === 0
    ? 'I have no tasks. Give me one with `/task` and what to do.'
    : taskList([...own].reverse());
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
      ? { id: 0, text: list(by, agentId) }
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
