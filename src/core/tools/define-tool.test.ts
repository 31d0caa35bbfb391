import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolContext } from '../../../test/fakes/tool-context.ts';
import { defineTool } from './define-tool.ts';
import { maxPreview, previewBody, textOutput } from './output.ts';

const echo = defineTool({
  name: 'echo',
  group: 'core',
  core: false,
  description: 'Says it again.',
  input: z.strictObject({ text: z.string().max(5), times: z.number().int().default(1) }),
  replay: 'safe',
  assess: ({ text }) => ({
    risk: 'low',
    effects: [],
    preview: { kind: 'text', title: `say ${text}`, body: text, where: '' },
  }),
  execute: async ({ text, times }) => textOutput(text.repeat(times)),
});

test('The model gets the schema, in which fields with defaults are optional', () => {
  expect(echo.parameters).toEqual({
    type: 'object',
    properties: {
      text: { type: 'string', maxLength: 5 },
      times: { type: 'integer', default: 1, minimum: expect.any(Number), maximum: expect.any(Number) },
    },
    required: ['text'],
    additionalProperties: false,
  });
});

test('The tool gets typed arguments with defaults', async () => {
  expect(await echo.execute({ text: 'a' }, toolContext())).toEqual(textOutput('a'));
  expect(await echo.execute({ text: 'a', times: 3 }, toolContext())).toEqual(textOutput('aaa'));
});

test('Invalid arguments are blocked and return an error, never an exception', async () => {
  const assessed = await echo.assess({ txt: 'a' }, toolContext());
  expect(assessed.blocked).toMatchObject({ reason: 'invalid_arguments' });
  expect(assessed.effects).toEqual([]);
  const output = await echo.execute({ text: 7 }, toolContext());
  expect(output.isError).toBe(true);
  expect(JSON.stringify(output)).toContain('text: ');
});

test('A long preview is truncated and says so', () => {
  expect(previewBody('x'.repeat(maxPreview))).toEqual({ body: 'x'.repeat(maxPreview) });
  const { body, cut } = previewBody('x'.repeat(maxPreview + 1));
  expect(body).toContain('65,537 characters');
  expect(cut).toBe(true);
});
