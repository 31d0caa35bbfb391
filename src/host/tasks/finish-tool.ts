import { checkAgainst } from '../../core/loop/json-schema.ts';
import type { JsonSchema } from '../../core/model-ports.ts';
import { finishTool } from '../../core/tasks/task-words.ts';
import type { Tool } from '../../core/tool-ports.ts';
import { errorOutput, textOutput } from '../../core/tools/output.ts';

const parametersFor = (schema: JsonSchema | null): JsonSchema => ({
  type: 'object',
  properties: {
    result: schema ?? { type: 'string', minLength: 1, description: 'The whole result, in Markdown.' },
  },
  required: ['result'],
  additionalProperties: false,
  // Where the schema points at its own parts, they are at the same place in here.
  ...(schema?.$defs === undefined ? {} : { $defs: schema.$defs }),
});

const maxIssues = 10;

/**
 * The act by which an agent completes a task; what it says beside it completes nothing. A result that does not fit the
 * schema is told as that, and the task goes on.
 */
export const createFinishTool = (schema: JsonSchema | null): Tool => ({
  name: finishTool,
  group: 'core',
  core: true,
  replay: 'safe',
  executionMode: 'sequential',
  reveals: [],
  description: 'Ends the task with its result. Call it once, when the goal is reached or cannot be reached.',
  parameters: parametersFor(schema),
  assess: () => ({
    risk: 'low',
    effects: [],
    preview: { kind: 'text', title: 'finish the task', body: '', where: '' },
  }),
  async execute({ result }) {
    if (!schema) return { ...textOutput('The task is done.', { finished: String(result) }), terminate: true };
    const { value, issues } = checkAgainst(schema, structuredClone(result));
    if (issues.length > 0) {
      const lines = issues.slice(0, maxIssues).map(({ path, message }) => `- ${path}: ${message}`);
      return errorOutput(`The result does not fit what was asked for:\n${lines.join('\n')}`);
    }
    return { ...textOutput('The task is done.', { finished: JSON.stringify(value) }), terminate: true };
  },
});
