import type { AgentTasks } from '../../core/tasks/agent-tasks-port.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { PuppyPort } from '../../core/workflows/puppy-port.ts';
import { createLlmTaskTool } from '../../services/tools/puppy/llm-task-tool.ts';
import { createPuppyTools } from '../../services/tools/puppy/puppy-tools.ts';
import { createTaskTools } from '../../services/tools/tasks/task-tools.ts';

/** The tools of an agent for its tasks and workflows. */
export type WorkTools = (agentId: string, files: ConfinedFiles) => readonly Tool[];

export interface WorkToolsDeps {
  /** Workflows as this agent may use them. */
  puppy(agentId: string, files: ConfinedFiles): PuppyPort;
  tasks(agentId: string): AgentTasks;
}

export const createWorkTools =
  ({ puppy, tasks }: WorkToolsDeps): WorkTools =>
  (agentId, files) => {
    const workflows = puppy(agentId, files);
    return [...createTaskTools(tasks(agentId)), ...createPuppyTools(workflows), createLlmTaskTool(workflows)];
  };
