/**
 * The tools that the official conformance suite calls by name, as far as an agent's tools can behave like
 * them.
 */
import { textError } from '../../../src/contract/errors.ts';
import { err, ok } from '../../../src/contract/result.ts';
import type { Clock } from '../../../src/core/ports.ts';
import type { OutsideCalls } from '../../../src/services/mcp/puffo-server.ts';

type Content =
  Awaited<ReturnType<OutsideCalls['call']>> extends infer R
    ? R extends { readonly ok: true; readonly value: { readonly content: infer C } }
      ? C
      : never
    : never;

/** A single red pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

const text = (words: string): Content => [{ type: 'text', text: words }];
const results: Readonly<Record<string, { readonly content: Content; readonly isError: boolean }>> = {
  test_simple_text: { content: text('This is a simple text response for testing.'), isError: false },
  test_image_content: {
    content: [{ type: 'image', data: png, mimeType: 'image/png' }],
    isError: false,
  },
  test_error_handling: {
    content: text('This tool intentionally returns an error for testing'),
    isError: true,
  },
  test_tool_with_progress: { content: text('It took its time.'), isError: false },
  json_schema_2020_12_tool: { content: text('It fits.'), isError: false },
};

const plain = { type: 'object', properties: {}, additionalProperties: false };
/** Schema that the suite expects back unchanged. */
const rich = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in plain data.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** `pauseMs`: duration of the tool with progress. */
export function sampleTools(clock: Clock, pauseMs: number): OutsideCalls {
  return {
    list: async () =>
      ok({
        tools: Object.keys(results).map((name) => ({
          name,
          description: `The suite calls it ${name}.`,
          readOnly: true,
          inputSchema: name === 'json_schema_2020_12_tool' ? rich : plain,
        })),
      }),
    async call({ name }) {
      const result = results[name];
      if (!result) return err(textError('not_found', 'There is no tool of that name.'));
      if (name === 'test_tool_with_progress') {
        // In pieces, so that the tool does not end before the client received its progress on a busy machine.
        for (let piece = 0; piece < 10; piece += 1)
          await new Promise<void>((resolve) => void clock.after(pauseMs / 10, resolve));
      }
      return ok({ content: [...result.content], isError: result.isError });
    },
    cancel: () => undefined,
  };
}

/**
 * Shorter timers are client limits and run in real time, because a busy machine must be able to meet them.
 */
const shortestHurriedMs = 15_000;

/**
 * A clock with timers that are `times` faster: an event of every 15 seconds occurs within the suite's wait.
 */
export const hurried = (clock: Clock, times: number): Clock => ({
  ...clock,
  after: (ms, fn, options) => clock.after(ms < shortestHurriedMs ? ms : ms / times, fn, options),
});
