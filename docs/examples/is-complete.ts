// `isComplete` ends the run after the turn for which it returns true: here, when the draft is long enough.
import { createAgent } from 'kennel';
import { script } from './script.ts';

const draft: string[] = [];
const write = { call: 'write', args: { line: 'One more line.' } };

const agent = createAgent({
  stream: script([write, write, write, write, { say: 'never said' }]),
  tools: [
    {
      name: 'write',
      description: 'Adds a line to the draft.',
      parameters: { type: 'object', properties: { line: { type: 'string' } }, required: ['line'] },
      run: ({ line }) => `now ${draft.push(String(line))} lines`,
    },
  ],
  isComplete: () => draft.length >= 3,
});
await agent.prompt('Write something.');
console.log(`${draft.length} lines`);
