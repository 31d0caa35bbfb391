/**
 * `llm_task`: one request to the agent's own model, answered with JSON of a given schema. The request has no
 * tools and no conversation, so that untrusted data in it can cause a bad answer but no action; the answer is
 * as tainted as the turn (T9).
 */
import { z } from 'zod';
import { jsonAs } from '../../../core/lib/json-as.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { failureOutput, previewBody, textOutput, toolErrorOutput } from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import type { Json } from '../../../core/workflows/file/definition.ts';
import { type JsonValue, stringifyExact } from '../../../core/workflows/pipeline/exact-json.ts';
import type { PuppyPort } from '../../../core/workflows/puppy-port.ts';
import { say } from '../../../language/say.ts';

const input = z.strictObject({
  prompt: z.string().min(1).max(100_000).describe('What the model should do with the input.'),
  input: z.string().max(400_000).default('').describe('The data to work on: JSON or text.'),
  schemaJson: z
    .string()
    .max(50_000)
    .default('')
    .describe('The JSON Schema of an object that the answer must fit; empty: any JSON.'),
  maxTokens: z.number().int().min(1).max(100_000).optional().describe('Of the answer.'),
  maxUsd: z.number().positive().optional().describe('What it may cost, in US dollars.'),
});

const description = [
  'Asks your own model one question apart from this conversation and answers with JSON that fits your schema. It has no tools and',
  'sees nothing but prompt and input: good for sorting, extracting or judging data. It costs as any answer does.',
].join(' ');

const longestMs = 300_000;
const schemaText = z.record(z.string(), z.unknown());
const anyJson = z.json();

/** Text that is not JSON is passed on as text. */
const dataOf = (text: string): Json | undefined =>
  text === '' ? undefined : ((jsonAs(anyJson, text) ?? text) as Json);

export function createLlmTaskTool(puppy: Pick<PuppyPort, 'ask'>): Tool {
  return defineTool({
    name: 'llm_task',
    group: 'puppy',
    core: false,
    description,
    input,
    // A repeated request costs again and has no other effect.
    replay: 'safe',
    timeoutMs: longestMs,
    assess: ({ prompt, input: data, schemaJson }) => ({
      risk: 'low',
      effects: [],
      preview: {
        kind: 'text',
        title: say('actions.askModel'),
        where: '',
        ...previewBody([prompt, schemaJson, data].filter((part) => part !== '').join('\n\n')),
      },
    }),
    async execute({ prompt, input: data, schemaJson, maxTokens = null, maxUsd = null }, call) {
      const schema = schemaJson === '' ? null : jsonAs(schemaText, schemaJson);
      if (schema === null && schemaJson !== '')
        return toolErrorOutput('schemaJson is no JSON Schema of an object: nothing was asked.');
      const wish = { prompt, input: dataOf(data), schema: schema as Json, maxTokens, maxUsd };
      const { answer, used } = await puppy.ask(wish, call);
      const output = answer.ok
        ? textOutput(stringifyExact(answer.value as JsonValue, 2), answer.value)
        : failureOutput(answer.error);
      return { ...output, used };
    },
  });
}
