import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const examples = path.join(root, 'docs/examples');
const types = path.join(root, 'dist/library/types');

describe('Library types', () => {
  it('compile under the strictest settings without other packages', () => {
    if (!existsSync(types)) throw new Error('dist/library is missing: npm run build');
    // The plain JavaScript example imports nothing of Kennel.
    const files = readdirSync(examples)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(examples, file));
    expect(files.length).toBeGreaterThan(5);
    const program = ts.createProgram(files, {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      paths: {
        kennel: [path.join(types, 'library/create-agent.d.ts')],
        'kennel/ptc': [path.join(types, 'library/ptc.d.ts')],
        'kennel/puppy': [path.join(types, 'library/puppy.d.ts')],
      },
    });
    const own = ts
      .getPreEmitDiagnostics(program)
      .filter(({ file }) => !file?.fileName.includes('node_modules'));
    expect(own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    expect(program.getSourceFiles().some(({ fileName }) => fileName.startsWith(types))).toBe(true);
  }, 60_000);
});
