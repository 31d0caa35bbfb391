/** Writes the table of fields in docs/workflow-format.md: `node scripts/workflow-fields.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withFieldTable } from './lib/workflow-field-table.ts';

const file = path.resolve(import.meta.dirname, '../docs/workflow-format.md');
writeFileSync(file, withFieldTable(readFileSync(file, 'utf8')));
