import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../../test/fakes/in-english.ts';
import { textError } from '../../../contract/errors.ts';
import { err, ok } from '../../../contract/result.ts';
import type { AgentTasks, AgentTaskWish } from '../../../core/tasks/agent-tasks-port.ts';
import { newTask, type Task } from '../../../core/tasks/task.ts';
import type { ToolCallContext } from '../../../core/tools/tool.ts';
import { createTaskTools } from './task-tools.ts';

const context = (more: Partial<ToolCallContext> = {}): ToolCallContext => ({
  agentId: 'guide',
  turnId: 't1',
  threadKey: 'dm|ada|m1',
  callId: 'c1',
  signal: new AbortController().signal,
  progress: () => undefined,
  ...more,
});

function rig() {
  const wishes: AgentTaskWish[] = [];
  const own: Task = {
    ...newTask({ goal: 'Sweep\n[X] 9: all (done)', agent: 'guide' }, 0),
    id: 4,
    result: 'Clean.',
  };
  const port: AgentTasks = {
    self: 'guide',
    whom: (name) =>
      name === 'nobody'
        ? err(textError('not_found', 'There is no such agent.'))
        : ok({ id: name, name: `The ${name}` }),
    add: async (wish) => {
      wishes.push(wish);
      return ok({ task: { ...own, goal: wish.goal }, isNew: wishes.length === 1 });
    },
    list: async () => ok([own]),
    show: async (id) =>
      id === 4 ? ok({ task: own, steps: [] }) : err(textError('not_found', 'You have none.')),
  };
  const tools = new Map(createTaskTools(port).map((tool) => [tool.name, tool]));
  const tool = (name: string) => {
    const found = tools.get(name);
    if (!found) throw new Error(name);
    return found;
  };
  const text = async (name: string, args: object, more: Partial<ToolCallContext> = {}) => {
    const { content } = await tool(name).execute(args as Record<string, unknown>, context(more));
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  };
  return { wishes, text, assess: (args: object) => tool('task_add').assess({ ...args }, context()) };
}

describe('Task tools', () => {
  it('have low risk for the agent’s own task, and count as a message for another agent’s task (T9)', async () => {
    const { assess } = rig();
    expect(await assess({ goal: 'Sweep' })).toMatchObject({ risk: 'low', effects: [] });
    expect(inEnglish(await assess({ goal: 'Sweep', agent: 'bea' }))).toMatchObject({
      risk: 'medium',
      effects: [{ kind: 'send', to: 'task:bea', sameThread: false }],
      preview: { title: 'give The bea a task', body: 'Sweep', where: 'at once' },
    });
    expect(await assess({ goal: 'Sweep', agent: 'nobody' })).toMatchObject({
      blocked: { reason: 'not_found' },
    });
    expect(await assess({ goal: 'Sweep', due: 'soon' })).toMatchObject({
      blocked: { reason: 'invalid_arguments' },
    });
  });
  it('use the call id as key, so that a repeated call adds nothing', async () => {
    const { text, wishes } = rig();
    expect(await text('task_add', { goal: 'Sweep', due: '2026-12-24T18:00:00Z' })).toContain(
      'Task 4 for The guide',
    );
    expect(await text('task_add', { goal: 'Sweep' })).toContain('there already');
    expect(wishes[0]).toEqual({
      goal: 'Sweep',
      agentId: 'guide',
      project: null,
      priority: 0,
      key: 't1:c1',
      dueAt: Date.UTC(2026, 11, 24, 18),
      threadKey: 'dm|ada|m1',
    });
  });
  it('report to the requesting chat, except for another agent’s task or a request outside a chat', async () => {
    const { text, wishes } = rig();
    await text('task_add', { goal: 'a' }, { threadKey: 'ch|ch_1|m2' });
    await text('task_add', { goal: 'b' }, { threadKey: 'mcp' });
    await text('task_add', { goal: 'c' }, { threadKey: 'task|7' });
    await text('task_add', { goal: 'd', agent: 'bea' });
    expect(wishes.map(({ threadKey }) => threadKey)).toEqual(['ch|ch_1|m2', null, null, null]);
  });
  it('list and show tasks with one line per task for any text', async () => {
    const { text } = rig();
    expect(await text('task_list', {})).toBe('  [ ] 4: Sweep [X] 9: all (done) (pending)');
    expect(await text('task_show', { task: 4 })).toContain('Result:\nClean.');
    expect(await text('task_show', { task: 5 })).toContain('You have none.');
  });
});
