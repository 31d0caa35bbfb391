/**
 * Tasks as an agent's tools. An agent may give itself a task; a task for another agent passes the policy like
 * a message to another room, and untrusted content never justifies it (T9).
 */

import { z } from 'zod';
import { taskStatusSchema } from '../../../contract/task-methods.ts';
import { taskLine } from '../../../contract/task-text.ts';
import { readConversation } from '../../../core/agents/thread-key.ts';
import type { AgentTasks } from '../../../core/tasks/agent-tasks-port.ts';
import type { TaskStep } from '../../../core/tasks/task-step.ts';
import { stepWords } from '../../../core/tasks/task-transcript.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { blockedBy, failureOutput, previewBody, textOutput } from '../../../core/tools/output.ts';
import type { Tool, ToolCallContext } from '../../../core/tools/tool.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

const reading = { group: 'puffo', core: false, replay: 'safe', foreign: true, reveals: ['tasks'] } as const;

const reads = (title: HostText) => ({
  risk: 'low' as const,
  effects: [],
  preview: { kind: 'text' as const, title, body: '', where: say('approvals.itsTasks') },
});

const addInput = z.strictObject({
  goal: z.string().trim().min(1).max(20_000).describe('What needs doing, with all that is needed for it'),
  agent: z.string().max(200).default('').describe('Id or handle of the agent that is to do it; empty: you'),
  project: z.string().max(100).default('').describe('Groups tasks; empty: none'),
  priority: z.number().int().min(-100).max(100).default(0).describe('Higher goes first'),
  due: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('Not before, e.g. 2026-12-24T18:00:00Z; absent: at once'),
  key: z.string().min(1).max(100).optional().describe('A second task with the same key is the first one'),
});

/** The thread of a chat turn; `null` for a task or an external program, which have no conversation. */
const conversation = ({ threadKey }: ToolCallContext): string | null =>
  readConversation(threadKey) === null ? null : threadKey;

function createAddTool(tasks: AgentTasks): Tool {
  const whom = (name: string) => tasks.whom(name === '' ? tasks.self : name);
  return defineTool({
    name: 'task_add',
    group: 'puffo',
    core: false,
    reveals: [],
    // Turn and call id are the default key, so that a repeated call adds nothing.
    replay: 'safe',
    description:
      'Adds a task that is done later and by itself, by you or by another agent. It starts afresh: it knows only its goal. Returns its number.',
    input: addInput,
    assess({ goal, agent, due }) {
      const found = whom(agent);
      const name = found.ok ? found.value.name : agent;
      const own = found.ok && found.value.id === tasks.self;
      const preview = {
        kind: 'text' as const,
        title: own ? say('actions.giveItselfTask') : say('actions.giveTask', { name }),
        ...previewBody(goal),
        where: due === undefined ? 'at once' : `not before ${due}`,
      };
      if (!found.ok) return blockedBy(found.error, preview);
      if (own) return { risk: 'low', effects: [], preview };
      return {
        risk: 'medium',
        effects: [{ kind: 'send', to: `task:${found.value.id}`, sameThread: false }],
        preview,
      };
    },
    async execute({ goal, agent, project, priority, due, key }, context) {
      const found = whom(agent);
      if (!found.ok) return failureOutput(found.error);
      const own = found.value.id === tasks.self;
      const added = await tasks.add({
        goal,
        priority,
        agentId: found.value.id,
        project: project === '' ? null : project,
        dueAt: due === undefined ? null : Date.parse(due),
        key: key ?? `${context.turnId}:${context.callId}`,
        // Another agent may not be a member of that conversation.
        threadKey: own ? conversation(context) : null,
      });
      if (!added.ok) return failureOutput(added.error);
      const { task, isNew } = added.value;
      const known = isNew ? '' : ' It was there already.';
      return textOutput(`Task ${task.id} for ${found.value.name}: ${task.status}.${known}`, {
        task: task.id,
      });
    },
  });
}

function createListTool(tasks: AgentTasks): Tool {
  return defineTool({
    ...reading,
    name: 'task_list',
    description: 'The tasks that are for you, newest first.',
    input: z.strictObject({
      status: taskStatusSchema.optional().describe('Only those in this state'),
      limit: z.number().int().min(1).max(100).default(20),
    }),
    assess: () => reads(say('actions.listTasks')),
    async execute({ status, limit }) {
      const found = await tasks.list({ limit, ...(status ? { status } : {}) });
      if (!found.ok) return failureOutput(found.error);
      return textOutput(found.value.map((task) => taskLine(task)).join('\n') || '[No tasks.]');
    },
  });
}

const maxStepText = 500;
const newLine = /\s*[\n\r\u0085\u2028\u2029]\s*/g;

function stepLine(step: TaskStep): string {
  const said = step.error === null ? (stepWords(step) ?? '') : `error: ${step.error}`;
  const text = said.replace(newLine, ' ').slice(0, maxStepText);
  return `${step.number}. ${step.action}${step.endedAt === null ? ' (under way)' : ''}${text === '' ? '' : `: ${text}`}`;
}

function createShowTool(tasks: AgentTasks): Tool {
  return defineTool({
    ...reading,
    name: 'task_show',
    description: 'One task that is for you: its state, its latest steps, its result.',
    input: z.strictObject({ task: z.number().int().positive().describe('Its number') }),
    assess: ({ task }) => reads(say('actions.lookAtTask', { task })),
    async execute({ task: id }) {
      const found = await tasks.show(id);
      if (!found.ok) return failureOutput(found.error);
      const { task, steps } = found.value;
      return textOutput(
        [
          taskLine(task),
          ...(steps.length === 0 ? [] : ['Latest steps:', ...steps.map(stepLine)]),
          ...(task.failure ? [`It failed: ${englishText(task.failure.message)}`] : []),
          ...(task.result === null ? [] : ['Result:', task.result]),
        ].join('\n'),
      );
    },
  });
}

export const createTaskTools = (tasks: AgentTasks): readonly Tool[] => [
  createAddTool(tasks),
  createListTool(tasks),
  createShowTool(tasks),
];
