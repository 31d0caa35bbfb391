import { expect, test } from 'vitest';
import { callTool } from '../../../../test/fakes/call-tool.ts';
import { createPlainMemory } from '../../../../test/fakes/plain-memory.ts';
import { toolContext } from '../../../../test/fakes/tool-context.ts';
import { createMemoryTools } from './memory-tools.ts';

function make(start: Record<string, string> = {}) {
  const memory = createPlainMemory(start);
  const tools = createMemoryTools(memory);
  const call = (name: string, args: Record<string, unknown>) =>
    callTool(
      tools.find((tool) => tool.name === `memory_${name}`),
      args,
    );
  const text = (name: string): string | null => {
    const read = memory.read(name);
    return read.ok ? read.value : null;
  };
  return { call, text };
}

test('memory_append appends whole lines to a new or existing note', async () => {
  const { call, text } = make({ old: 'no line end' });
  await call('append', { note: 'new', text: 'first' });
  await call('append', { note: 'new', text: 'second\n' });
  await call('append', { note: 'old', text: 'more' });
  expect(text('new')).toBe('first\nsecond\n');
  expect(text('old')).toBe('no line end\nmore\n');
  expect((await call('append', { note: '../x', text: 'a' })).assessment.blocked?.reason).toBe(
    'invalid_arguments',
  );
});

test('memory_search finds lines that contain all terms, ignoring case, also by note name', async () => {
  const { call } = make({ people: 'Ada likes tea\nBob likes coffee\n', plan: 'tea at four' });
  expect((await call('search', { query: 'LIKES tea' })).text).toBe('people:1: Ada likes tea');
  expect((await call('search', { query: 'plan' })).text).toBe('plan:1: tea at four');
  expect((await call('search', { query: 'e', limit: 1 })).text).toContain('[2 more lines]');
  expect((await call('search', { query: 'milk' })).text).toBe('[Nothing found.]');
});

test('memory_read returns one note or lists all', async () => {
  const { call } = make({ a: 'x' });
  expect((await call('read', { note: 'a' })).text).toBe('x');
  expect((await call('read', {})).text).toBe('a (1 bytes)');
  expect((await call('read', { note: 'b' })).output?.isError).toBe(true);
});

test('memory_edit needs exactly one match and previews the difference', async () => {
  const { call, text } = make({ a: 'one\ntwo\n', b: 'x x' });
  const edited = await call('edit', { note: 'a', old_text: 'two', new_text: '2' });
  expect(edited.assessment.preview.body).toContain('-two\n+2');
  expect(edited.assessment).toMatchObject({ risk: 'low', effects: [] });
  expect(text('a')).toBe('one\n2\n');
  expect((await call('edit', { note: 'b', old_text: 'x', new_text: 'y' })).text).toContain('2 times');
  expect((await call('edit', { note: 'a', old_text: 'q', new_text: 'y' })).text).toContain('not in the note');
});

test('memory_forget removes an existing note and rejects a missing one', async () => {
  const { call, text } = make({ a: 'x' });
  expect((await call('forget', { note: 'a' })).text).toBe('Forgot "a".');
  expect(text('a')).toBeNull();
  expect((await call('forget', { note: 'a' })).output).toBeNull();
});

test.each([
  ['memory_append', { note: 'old', text: 'x' }],
  ['memory_edit', { note: 'old', old_text: 'a', new_text: 'b' }],
])('T9: %s marks its text as untrusted while the turn holds untrusted content', async (name, args) => {
  const memory = createPlainMemory({ old: 'a' });
  const tool = createMemoryTools(memory).find((one) => one.name === name);
  await tool?.execute(args, toolContext({ tainted: true }));
  expect(memory.foreign()).toBe(true);
  const clean = createPlainMemory({ old: 'a' });
  const other = createMemoryTools(clean).find((one) => one.name === name);
  await other?.execute(args, toolContext({ tainted: false }));
  expect(clean.foreign()).toBe(false);
});
