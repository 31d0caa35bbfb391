import { describe, expect, it } from 'vitest';
import { checkAgainst } from '../../../core/loop/json-schema.ts';
import { type Message, textBlock, userMessage } from '../../../core/models/messages.ts';
import type { ModelContext } from '../../../core/models/model-ports.ts';
import { goalMessage } from '../../../core/tasks/task-prompts.ts';
import { sampleOf } from './sample-of.ts';
import { scriptedAnswer } from './script.ts';

const text = { type: 'object', properties: { result: { type: 'string' } } };
const tool = (name: string, parameters: object = text) => ({
  name,
  description: '',
  parameters: { ...parameters },
});
const goal = (words: string) =>
  userMessage(goalMessage({ id: 3, goal: words, seed: {}, origin: { via: 'cli', threadKey: null } }), 1);
const result = (toolName: string, words: string, isError = false): Message => ({
  role: 'toolResult',
  toolCallId: 'c',
  toolName,
  content: [textBlock(words)],
  isError,
  timestamp: 2,
});
const context = (messages: readonly Message[], tools = [tool('list_dir'), tool('finish')]): ModelContext => ({
  system: '',
  messages,
  tools,
});

describe('Scripted helper on a task', () => {
  it('lists the folder, then finishes with a plan that says it was made without a model', () => {
    const first = scriptedAnswer(context([goal('Sweep @all the yard')]));
    expect(first.calls).toEqual([{ name: 'list_dir', arguments: { path: '.' } }]);
    const [end] = scriptedAnswer(
      context([goal('Sweep @all the yard'), result('list_dir', 'broom.md')]),
    ).calls;
    expect(end?.name).toBe('finish');
    expect(end?.arguments.result).toMatch(/without a model/);
    expect(end?.arguments.result).toContain('broom.md');
    expect(end?.arguments.result).not.toContain('@all');
  });

  it('runs the tool it has a command for, and reports why it could not', () => {
    const tools = [tool('write_file'), tool('finish')];
    const asked = goal('write hello.md');
    expect(scriptedAnswer(context([asked], tools)).calls[0]).toMatchObject({ name: 'write_file' });
    const denied = result('write_file', 'The operator denied it: not today', true);
    const [end] = scriptedAnswer(context([asked, denied], tools)).calls;
    expect(end?.arguments.result).toContain('You said no');
    expect(scriptedAnswer(context([asked])).calls[0]?.arguments.result).toContain('write_file');
    expect(scriptedAnswer(context([goal('fail')])).fails).toBe(true);
  });

  it.each(['Write a haiku about kennels', 'read it.', 'Tell me a story'])(
    'handles "%s" as a general goal: it names no file and no person',
    (words) => {
      const tools = ['list_dir', 'write_file', 'read_file', 'send_message', 'finish'].map((name) =>
        tool(name),
      );
      expect(scriptedAnswer(context([goal(words)], tools)).calls[0]?.name).toBe('list_dir');
    },
  );

  it('does not repeat a refused finish forever', () => {
    const again = context([goal('x'), result('list_dir', ''), result('finish', 'does not fit', true)]);
    expect(scriptedAnswer(again).calls).toEqual([]);
  });

  it.each([
    [
      {
        type: 'object',
        properties: { a: { type: 'string', minLength: 9 }, b: { enum: ['x', 'y'] } },
        required: ['a', 'b'],
      },
    ],
    [{ type: 'array', minItems: 2, items: { type: 'integer', minimum: 4 } }],
    [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }],
    [
      {
        type: 'object',
        properties: { n: { $ref: '#/$defs/n' } },
        required: ['n'],
        $defs: { n: { const: 7 } },
      },
    ],
    [{ type: ['string', 'null'], maxLength: 3 }],
  ])('returns a result that matches %j', (schema) => {
    const sample = sampleOf(schema, schema);
    expect(checkAgainst(schema, structuredClone(sample))).toEqual({ value: sample, issues: [] });
    const tools = [
      tool('finish', {
        type: 'object',
        properties: { result: schema },
        ...('$defs' in schema ? { $defs: schema.$defs } : {}),
      }),
    ];
    expect(scriptedAnswer(context([goal('x')], tools)).calls[0]).toMatchObject({
      arguments: { result: sample },
    });
  });

  it('terminates on a recursive schema', () => {
    const endless = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(JSON.stringify(sampleOf(endless, endless)).length).toBeLessThan(1_000);
  });
});
