/** Writes docs/cli.md: `node scripts/cli-reference.ts`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliReference } from './lib/cli-reference.ts';

writeFileSync(path.resolve(import.meta.dirname, '../docs/cli.md'), await cliReference());
