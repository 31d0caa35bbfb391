import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import { loadFile } from './load-source.ts';

it('Sub-workflows are listed breadth first, so that digests of approved workflows stay the same', async () => {
  const calls: Readonly<Record<string, readonly string[]>> = {
    'a.puppy': ['b.puppy', 'c.puppy'],
    'b.puppy': ['d.puppy'],
  };
  const textOf = (path: string): string => {
    const steps = (calls[basename(path)] ?? []).map(
      (file, index) => `  - {id: s${index}, workflow: ${file}}\n`,
    );
    return `steps:\n${steps.length > 0 ? steps.join('') : '  - {id: only, run: echo}\n'}`;
  };
  const loaded = await loadFile('/a.puppy', async (path) => ok({ path, text: textOf(path) }));
  expect(loaded).toMatchObject({
    ok: true,
    value: {
      findings: [],
      children: [
        { parent: null, file: 'b.puppy' },
        { parent: null, file: 'c.puppy' },
        { parent: { steps: [{ file: 'd.puppy' }] }, file: 'd.puppy' },
      ],
    },
  });
});
