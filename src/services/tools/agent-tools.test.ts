import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { createPlainChat } from '../../../test/fakes/plain-chat.ts';
import { createPlainMemory } from '../../../test/fakes/plain-memory.ts';
import { toolContext } from '../../../test/fakes/tool-context.ts';
import { validateArguments } from '../../core/loop/validate-arguments.ts';
import { createAgentTools } from './agent-tools.ts';
import { createConfinedFiles } from './confined/confined-files.ts';

const files = createConfinedFiles({ cwd: tmpdir(), readable: [], writable: [] });
const tools = createAgentTools({
  files,
  workspace: files,
  memory: createPlainMemory(),
  messaging: createPlainChat(),
  commands: [],
});

test('T9: Each tool states whether it is core, repeatable after a crash, and a source of untrusted content', () => {
  const rows = tools.map(({ name, group, core, replay, foreign }) =>
    [name, group, core ? 'core' : '', replay, foreign ? 'foreign' : ''].filter(Boolean).join(' '),
  );
  expect(rows).toEqual([
    'read_file files core safe foreign',
    'write_file files core safe',
    'edit_file files core never',
    'list_dir files core safe foreign',
    'search_files files core safe foreign',
    'memory_append memory never',
    'memory_search memory safe',
    'memory_read memory safe',
    'memory_edit memory never',
    'memory_forget memory safe',
    'send_message puffo safe',
    'whoami puffo safe',
    'list_channels puffo safe foreign',
    'list_channel_members puffo safe foreign',
    'get_channel_history puffo safe foreign',
    'get_thread_history puffo safe foreign',
    'get_post puffo safe foreign',
    'get_user_info puffo safe foreign',
    'send_message_with_attachments puffo safe',
    'fetch_channel_files puffo safe foreign',
    'get_post_segment puffo safe foreign',
    'search_messages puffo safe foreign',
  ]);
});

test('Every tool schema is a closed object with a description, and tool names are unique', () => {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name, description, parameters } of tools) {
    expect(parameters, name).toMatchObject({ type: 'object', additionalProperties: false });
    expect(parameters.$schema, name).toBeUndefined();
    expect(description.length, name).toBeGreaterThan(10);
  }
});

test.each<[string, Record<string, unknown>, boolean]>([
  ['read_file', { path: 'a', limit: '5' }, true],
  ['read_file', { path: 'a', limit: 0 }, false],
  ['read_file', { pth: 'a' }, false],
  ['memory_append', { note: 'my note', text: 'x' }, false],
  ['memory_append', { note: 'my-note', text: 'x' }, true],
  ['send_message', { channel: '@ada-1', text: 'hi' }, false],
  ['send_message', { channel: '@ada-1', text: 'hi', is_visible_to_human: 'true' }, true],
])('The agent loop and the tool agree on arguments: %s %j', async (name, args, fits) => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(name);
  const checked = validateArguments(tool, { arguments: args });
  expect(checked.ok).toBe(fits);
  const assessed = await tool.assess(checked.ok ? checked.value : args, toolContext());
  expect(assessed.blocked?.reason === 'invalid_arguments').toBe(!fits);
});
