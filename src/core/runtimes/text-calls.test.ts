import { expect, it } from 'vitest';
import { countingTool, runtimeRig } from '../../../test/fakes/runtime-rig.ts';
import { says } from '../../../test/fakes/scripted-stream.ts';

const facts = () => ({
  contextWindow: null,
  maxOutputTokens: null,
  answerTokens: null,
  temperature: null,
  vision: null,
  nativeTools: false,
  price: null,
});

const partsAfter = async (...answers: string[]) => {
  const tool = countingTool('count');
  const rig = runtimeRig(
    answers.map((text) => says(text)),
    { deps: { facts }, tools: [tool] },
  );
  rig.say('go');
  const end = (await rig.run()).at(-1);
  return { parts: end?.type === 'turn_done' ? end.parts : end, done: tool.done.length };
};

it('A tool call written as text runs, and is never sent as the answer', async () => {
  expect(await partsAfter('count(path="a")', ' ')).toEqual({ parts: [], done: 1 });
  expect(await partsAfter('I look.\ncount(path="a")', 'Done.')).toEqual({ parts: ['Done.'], done: 1 });
  expect(await partsAfter('Write count (path) yourself.')).toMatchObject({ done: 0 });
});
