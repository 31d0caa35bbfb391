// `parseAction` reads calls from plain text, for a model without native calls. They are validated and need
// approval like any others. Without `parseAction`, `nativeTools: false` expects
// `tool_name(argument="value")`.
import { createAgent } from 'kennel';
import { script } from './script.ts';

const agent = createAgent({
  stream: script([{ say: 'I will look.\nACTION: weather Lisbon' }, { say: 'Take a hat.' }]),
  system: 'To use a tool, write ACTION: <tool> <place>.',
  tools: [
    {
      name: 'weather',
      description: 'The weather at a place.',
      parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      run: ({ place }) => `Sunny in ${place}.`,
    },
  ],
  parseAction: (text) =>
    [...text.matchAll(/^ACTION: (\w+) (.+)$/gm)].map(([, name = '', place]) => ({
      name,
      arguments: { place },
    })),
});
console.log(await agent.ask('Do I need an umbrella?'));
