// Tools are functions of your program. Arguments are validated before `run`; the model receives its errors.
import { createAgent } from 'kennel';
import { script } from './script.ts';

const steps = [{ call: 'count', args: { item: 'apples' } }, { call: 'count', args: {} }, { say: 'Three.' }];
const agent = createAgent({
  stream: script(steps),
  tools: [
    {
      name: 'count',
      description: 'How many are left.',
      parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
      run: ({ item }) => `There are 3 ${item}.`,
    },
  ],
});
agent.subscribe((event) => {
  if (event.type === 'tool_execution_end') console.log(event.isError ? 'refused' : 'ran');
});
console.log(await agent.ask('How many apples?'));
