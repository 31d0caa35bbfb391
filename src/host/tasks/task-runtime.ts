import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import { systemPrompt } from '../../core/agents/prompt.ts';
import { readConversation, roomIdOf } from '../../core/agents/thread-key.ts';
import type { ApprovalGate, GateDecision } from '../../core/approvals/approval-gate.ts';
import type { JsonSchema } from '../../core/models/model-ports.ts';
import type { SpendGate, SpendRequest } from '../../core/models/spend-gate.ts';
import { spentOn } from '../../core/models/usage.ts';
import type { AgentKit, TurnResources } from '../../core/runtimes/runtime-ports.ts';
import type { AnswerPlace, TurnInput } from '../../core/supervisor/runtime-port.ts';
import type { TurnContext } from '../../core/supervisor/worker-ports.ts';
import type { Task } from '../../core/tasks/task.ts';
import type { TaskJournal } from '../../core/tasks/task-journal.ts';
import { keptFacts } from '../../core/tasks/task-memory.ts';
import {
  finishTool,
  rememberTool,
  resultSchema,
  taskRules,
  worktreeRules,
} from '../../core/tasks/task-prompts.ts';
import { carriesForeignWords } from '../../core/tasks/task-taint.ts';
import { taskThread, taskTurn } from '../../core/tasks/task-turn.ts';
import type { Tool, ToolCallContext } from '../../core/tools/tool.ts';
import { createFinishTool } from './finish-tool.ts';
import { createRememberTool } from './remember-tool.ts';
import type { TaskPause } from './task-pauses.ts';

/** ms; the real limits of a task are its budget and those of each step. */
const turnMs = 7 * 86_400_000;

/** How the calls of all tasks are numbered and limited. */
export interface TaskCalls {
  /** sha256 in hex of a call's canonical arguments, independent of the caller. */
  digest(tool: string, args: Readonly<Record<string, unknown>>): string;
  /** Calls that run after one answer of the model. */
  perStep(): number;
}

export interface TaskResourcesDeps {
  readonly task: Task;
  readonly journal: TaskJournal;
  /** Those of the agent's chat turns. */
  readonly turns: TurnResources;
  readonly calls: TaskCalls;
  readonly pause: TaskPause;
}

const subAgentTool = 'sub_agent';

const allow: GateDecision = { type: 'allow', by: 'policy', receiptId: null };
const goesOnLater: GateDecision = {
  type: 'deny',
  by: 'cancelled',
  reason: 'The task goes on another time.',
};

export const schemaOf = ({ seed }: Pick<Task, 'seed'>): JsonSchema | null => {
  const schema = seed[resultSchema];
  return typeof schema === 'object' && schema !== null ? (schema as JsonSchema) : null;
};

/** Records the turns in the task's journal, keeps its budget, and adds the tools that only tasks have. */
export function taskResources(deps: TaskResourcesDeps): TurnResources {
  const { turns, journal, task } = deps;
  return {
    ...turns,
    transcripts: journal,
    digest: deps.calls.digest,
    spend: taskSpending(deps),
    settings: () => ({ ...turns.settings(), turnMs }),
    async kit() {
      const kit = await turns.kit();
      // A request of a sub-agent would count as a step of the task.
      const own = kit.tools.filter(({ name }) => name !== subAgentTool).map((tool) => toolOfTask(deps, tool));
      const ofTask = [
        createRememberTool({ memory: () => journal.memory(), foreign: () => kit.foreignNotes() }),
        createFinishTool(schemaOf(task)),
      ];
      return { ...kit, tools: [...own, ...ofTask], gate: taskGate(deps, kit) };
    },
  };
}

/** Sequential, so that a task can stop between any two calls; each call has the id of its step. */
function toolOfTask({ journal, pause }: TaskResourcesDeps, tool: Tool): Tool {
  const ofStep = (context: ToolCallContext): ToolCallContext => ({
    ...context,
    callId: journal.stepCall(context.callId),
  });
  return {
    ...tool,
    executionMode: 'sequential',
    assess: (args, context) => tool.assess(args, ofStep(context)),
    async execute(args, context) {
      const output = await tool.execute(args, ofStep(context));
      if (output.used) journal.spent(output.used);
      // Held: the turn ends here with an open call, and its output is dropped.
      if (output.awaits !== undefined) await pause.forRun(output.awaits);
      return output;
    },
  };
}

const unpriced = ({ provider, model }: SpendRequest['target'], usd: number) =>
  fail('rate_limited', 'tasks.unknownPrice', { provider, model, usd });

/** Records each request and answer in the task's journal, and checks the task's own budget. */
function taskSpending({ turns, journal, task, pause }: TaskResourcesDeps): SpendGate {
  const { spend } = turns;
  const begin = (agentId: string, target: SpendRequest['target']): Result<void> => {
    const { usd } = task.budget;
    const isPriced = usd === null || spend.isPriced(agentId, target);
    return isPriced ? journal.requested() : err(unpriced(target, usd));
  };
  /** Only an exhausted budget halts the task; a provider's rate limit is waited for. */
  const haltedBy = <T>(admitted: Result<T>): Result<T> => {
    if (!admitted.ok && admitted.error.code === 'rate_limited')
      journal.halt({ type: 'budget', message: messageOf(admitted.error) });
    return admitted;
  };
  return {
    admit(agentId, target) {
      const begun = begin(agentId, target);
      return haltedBy(begun.ok ? spend.admit(agentId, target) : begun);
    },
    async reserve(request, signal) {
      const begun = begin(request.agentId, request.target);
      return haltedBy(begun.ok ? await spend.reserve(request, signal) : begun);
    },
    question(turn, target) {
      if (!journal.mayGoOn()) return null;
      const question = spend.question(turn, target);
      if (question?.approvalId) pause.forApproval(question.approvalId);
      return question;
    },
    record(row) {
      spend.record(row);
      journal.spent(spentOn(row.usage, row.simulated));
    },
    isPriced: spend.isPriced,
  };
}

function taskGate({ journal, calls, pause }: TaskResourcesDeps, kit: AgentKit): ApprovalGate {
  return {
    async check(call, signal, ready) {
      if (!journal.mayGoOn()) return goesOnLater;
      if (call.tool === finishTool) return allow;
      if (journal.callNumber(call.callId) > calls.perStep()) {
        const reason = `Only ${calls.perStep()} calls run after one answer. Make this one again in the next.`;
        return { type: 'deny', by: 'policy', reason };
      }
      if (call.tool === rememberTool) return allow;
      // Another turn of this agent may have saved tainted notes since the task began (T9).
      const tainted = call.tainted || kit.foreignNotes();
      const asked = kit.gate.check({ ...call, tainted }, signal, ready);
      const approvalId = kit.waitingFor(call);
      if (approvalId !== null && pause.forApproval(approvalId)) {
        // The question stays open; its answer is stored for the repeated call.
        asked.catch(() => undefined);
        return goesOnLater;
      }
      return asked;
    },
  };
}

/** The audience of the result: the conversation that the task came from. */
export function runtimePlace({ origin }: Pick<Task, 'origin'>): AnswerPlace | null {
  const place = origin.threadKey === null ? null : readConversation(origin.threadKey);
  return place && { roomId: roomIdOf(place), by: 'report' };
}

/** `task`: with the worktree in which it works. */
export function turnOf(
  task: Task,
  agentId: string,
  context: TurnContext,
  journal: Pick<TaskJournal, 'memory' | 'foreign'>,
): TurnInput {
  const { worktree } = task;
  const place = worktree?.state === 'open' ? worktreeRules(worktree.branch) : '';
  const isUntrusted = (): boolean => carriesForeignWords(task) || journal.foreign;
  return {
    turnId: taskTurn(task.id),
    agentId,
    threadKey: taskThread(task.id),
    firstSeq: 1,
    system: `${systemPrompt(context.prompt, context.persona)}\n${taskRules}${place}`,
    untrustedNotes: context.untrustedNotes,
    answersIn: runtimePlace(task),
    arrivals: { take: async () => null },
    // A task does not occupy the agent's chat turn slot; see docs/architecture.md.
    place: { lend: (work) => work },
    tainted: isUntrusted(),
    keptWords: () => keptFacts(journal.memory(), isUntrusted()),
  };
}
