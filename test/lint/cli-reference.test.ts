import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cliReference } from '../../scripts/lib/cli-reference.ts';

it('docs/cli.md is what the commands say (node scripts/cli-reference.ts writes it)', async () => {
  const written = readFileSync(path.resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  expect(written).toBe(await cliReference());
});
