import { checkAgainst } from '../../core/loop/json-schema.ts';
import type { JsonSchema } from '../../core/models/model-ports.ts';
import { finishTool } from '../../core/tasks/task-prompts.ts';
import { textOutput, toolErrorOutput } from '../../core/tools/output.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { say } from '../../language/say.ts';

const parametersFor = (schema: JsonSchema | null): JsonSchema => ({
  type: 'object',
  properties: {
    result: schema ?? { type: 'string', minLength: 1, description: 'The whole result, in Markdown.' },
  },
  required: ['result'],
  additionalProperties: false,
  // `$ref`s of the schema stay valid because `$defs` keep their location.
  ...(schema?.$defs === undefined ? {} : { $defs: schema.$defs }),
});

const maxIssues = 10;

/**
 * The tool that completes a task; text beside the call completes nothing. A result that violates the schema
 * is returned as an error, and the task continues.
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
    preview: { kind: 'text', title: say('actions.finishTask'), body: '', where: '' },
  }),
  async execute({ result }) {
    if (!schema) return { ...textOutput('The task is done.', { finished: String(result) }), terminate: true };
    const { value, issues } = checkAgainst(schema, structuredClone(result));
    if (issues.length > 0) {
      const lines = issues.slice(0, maxIssues).map(({ path, message }) => `- ${path}: ${message}`);
      return toolErrorOutput(`The result does not fit what was asked for:\n${lines.join('\n')}`);
    }
    return { ...textOutput('The task is done.', { finished: JSON.stringify(value) }), terminate: true };
  },
});
