import { expect, test } from 'vitest';
import { pipelineWorkflow } from './pipeline-workflow.ts';

test('A pipeline text becomes a one-step workflow without template substitution', () => {
  const text = 'exec echo $name.stdout $HOME | head --n 1';
  expect(pipelineWorkflow(text)).toMatchObject({
    ok: true,
    value: { steps: [{ kind: 'pipeline', pipeline: [{ kind: 'text', text }] }] },
  });
});

test('A pipeline is pure only if every stage is', () => {
  const effects = ["exec --shell 'send'", 'commands.list | head --n 1'].map((text) => {
    const read = pipelineWorkflow(text);
    return read.ok ? read.value.steps[0]?.effect : read.error;
  });
  expect(effects).toEqual(['once', 'pure']);
});

test('A pipeline with an unknown command is refused with its stage and column', () => {
  expect(pipelineWorkflow('commands.list | hed')).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', message: 'Unknown command: hed', where: 'stage 2, column 17' },
  });
});
