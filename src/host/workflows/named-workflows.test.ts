import { expect, it } from 'vitest';
import { hostNamedWorkflows } from './named-workflows.ts';
import { createRunSlots } from './run-slots.ts';

it('An agent-written pipeline or an unknown caller cannot run an operator workflow by name (T9)', async () => {
  const asked: string[] = [];
  for (const caller of [
    null,
    { origin: { cwd: '/', file: null, writtenBy: 'guide' }, initiatedBy: 'guide' },
  ]) {
    const port = hostNamedWorkflows({
      files: async () => {
        asked.push('files');
        throw new Error('asked for files');
      },
      engine: () => {
        throw new Error('asked for the engine');
      },
      slots: createRunSlots(() => undefined),
      caller: () => caller as never,
    });
    const told = await port.run('weekly-review', {}, new AbortController().signal);
    expect(told).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  }
  expect(asked).toEqual([]);
});
