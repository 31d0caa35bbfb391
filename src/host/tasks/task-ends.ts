import { type Conversation, readConversation, roomIdOf } from '../../core/agents/thread-key.ts';
import type { ApprovalGate } from '../../core/approvals/approval-gate.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { HeldBack } from '../../core/policy/assessment.ts';
import type { Log } from '../../core/ports.ts';
import { coveredBy, TurnReads } from '../../core/runtimes/turn-sources.ts';
import { callOfAnswer } from '../../core/runtimes/withheld-answer.ts';
import type { Task } from '../../core/tasks/task.ts';
import { carriesForeignWords } from '../../core/tasks/task-taint.ts';
import { taskThread, taskTurn } from '../../core/tasks/task-turn.ts';
import { englishText } from '../../language/host-message.ts';
import { messagingAddress } from '../fleet/messaging-rooms.ts';
import type { TaskAgents, TaskCapabilities } from './task-agents.ts';

/** Characters of a result in the chat; the task keeps all of it. */
const longest = 20_000;

function endWords({ id, status, result, failure }: Task): string {
  if (status !== 'error') {
    const text = (result ?? '').trim();
    const shown = cutCodePoints(text, longest);
    const short = shown === text ? text : `${shown}\n\n… "kennel task show ${id}" has all of it.`;
    return `Task ${id} is done.\n\n${short}`;
  }
  if (failure?.kind === 'cancelled') return `Task ${id} was cancelled. Its work so far is kept.`;
  const why = englishText(failure?.message ?? 'It failed.');
  return `Task ${id} did not come to its end: ${why}\n\nWhat it did is kept; "kennel task retry ${id}" goes on from there.`;
}

/** Address for a message to this conversation; an empty root is no thread. */
export function taskChannel(place: Conversation): { readonly channel: string; readonly rootId: string } {
  return { channel: messagingAddress(roomIdOf(place)), rootId: place.rootId ?? '' };
}

export interface TaskEndsDeps {
  readonly agents: Pick<TaskAgents, 'runner'>;
  readonly log: Log;
  gate(): ApprovalGate;
}

export interface TaskEnds {
  /**
   * Reports a task's end in its conversation, as the agent that did it. The message's id is fixed, so an end
   * is reported once even after a crash (F1). False if the agent does not run.
   */
  tell(task: Task): Promise<boolean>;
}

export const createTaskEnds = (deps: TaskEndsDeps): TaskEnds => ({
  async tell(task) {
    const { threadKey } = task.origin;
    const place = threadKey === null ? null : readConversation(threadKey);
    if (place === null) return true;
    const runner = runnerOf(deps, task);
    if (!runner?.capabilities) return false;
    const heldBack = await heldBackOf(runner.capabilities, task, place);
    if (heldBack === null) return sendEnd(deps, task, place);
    // The task is over: only this message waits for the operator's answer.
    askToTell(deps, runner.id, task, { place, heldBack }).catch((error: unknown) =>
      deps.log.error('task_end_not_told', { task: task.id, error: String(error) }),
    );
    return true;
  },
});

const runnerOf = ({ agents }: TaskEndsDeps, { runner, agent }: Task) => agents.runner(runner ?? agent ?? '');

/** Includes the date, because ids restart after a damaged store was quarantined. */
const callOfEnd = ({ createdAt, claim }: Task): string => `end-${createdAt}-${claim}`;

async function sendEnd(deps: TaskEndsDeps, task: Task, place: Conversation): Promise<boolean> {
  const capabilities = runnerOf(deps, task)?.capabilities;
  if (!capabilities) return false;
  const messaging = await capabilities.messaging();
  const sent = await messaging.send({
    turnId: taskTurn(task.id),
    callId: callOfEnd(task),
    ...taskChannel(place),
    text: endWords(task),
    visible: true,
  });
  if (!sent.ok) deps.log.warn('task_end_not_told', { task: task.id, code: sent.error.code });
  return sent.ok;
}

/** Sources that the task's result would reveal beyond what the conversation may read (T9); `null` if none. */
function heldBackOf(
  { audience, reads }: Pick<TaskCapabilities, 'audience' | 'reads'>,
  task: Task,
  conversation: Conversation,
): Promise<HeldBack | null> {
  const key = taskThread(task.id);
  const place = { roomId: roomIdOf(conversation), by: 'report' } as const;
  // An agent in that conversation wrote the goal and may have used all its sources.
  const ofGoal = task.origin.via === 'mcp' ? (reads.of(task.origin.threadKey ?? '')?.sources ?? []) : [];
  const tainted = carriesForeignWords(task) || reads.of(key)?.tainted === true;
  const turn = new TurnReads({ audience, log: reads, threadKey: key, place, hasResults: true });
  return turn.heldBack(tainted, ofGoal);
}

interface HeldEnd {
  readonly place: Conversation;
  readonly heldBack: HeldBack;
}

async function askToTell(
  deps: TaskEndsDeps,
  agentId: string,
  task: Task,
  { place, heldBack }: HeldEnd,
): Promise<void> {
  const call = callOfAnswer(callOfEnd(task), { text: endWords(task), heldBack });
  const facts = { agentId, turnId: taskTurn(task.id), threadKey: taskThread(task.id) };
  const decision = await deps.gate().check({ ...facts, ...call }, neverAborted);
  if (decision.type !== 'allow') return;
  const capabilities = deps.agents.runner(agentId)?.capabilities;
  const now = capabilities ? await heldBackOf(capabilities, task, place) : null;
  // The room may have gained members while the question waited.
  if (now && !coveredBy(heldBack, now)) return askToTell(deps, agentId, task, { place, heldBack: now });
  await sendEnd(deps, task, place);
}

const neverAborted = new AbortController().signal;
