// Functions of your program as tools: parameters from a doc comment, or from a schema that checks them.
import { patchOpenAIWithMcp, tool } from 'kennel/ptc';
import OpenAI from 'openai';
import { z } from 'zod';

const add = tool(function add({ a, b }) {
  /**
   * Adds two numbers.
   * @param {number} a - the first
   * @param {number} [b=1] - the second
   */
  return Number(a) + Number(b ?? 1);
});
const repeat = tool(({ text, times }) => text.repeat(times), {
  name: 'repeat',
  description: 'Repeats a text.',
  parameters: z.object({ text: z.string(), times: z.number().int().min(1).max(9) }),
});

const client = patchOpenAIWithMcp(new OpenAI());
const answer = await client.responses.create({
  model: 'gpt-4o',
  input: 'Add 2 and 3, and say "ha" as often.',
  localTools: [add, repeat],
});
console.log(answer.output_text);
await client.cleanupMcp();
