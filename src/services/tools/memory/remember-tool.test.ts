import { expect, test } from 'vitest';
import { createPlainMemory } from '../../../../test/fakes/plain-memory.ts';
import { toolContext } from '../../../../test/fakes/tool-context.ts';
import { createMemoryTools } from './memory-tools.ts';
import { createMemoryRememberTool } from './remember-tool.ts';

test('The remember tool appends to one note, marked if the turn holds untrusted content (T9)', async () => {
  const memory = createPlainMemory();
  const [append] = createMemoryTools(memory);
  if (append?.name !== 'memory_append') throw new Error('the first tool appends');
  const remember = createMemoryRememberTool(append);
  await remember.execute({ text: 'Tea at four.' }, toolContext());
  expect(memory.foreign()).toBe(false);
  await remember.execute({ text: 'Milk first.' }, toolContext({ tainted: true }));
  expect(memory.read('remembered')).toEqual({ ok: true, value: 'Tea at four.\nMilk first.\n' });
  expect(memory.foreign()).toBe(true);
  const bad = await remember.assess({ text: 'x', note: '../up' }, toolContext());
  expect(bad.blocked?.reason).toBe('invalid_arguments');
});
