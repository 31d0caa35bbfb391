import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { writeLibraryTypes } from '../../scripts/library-types.ts';

const root = path.resolve(import.meta.dirname, '../..');
const examples = path.join(root, 'docs/examples');
const outside = mkdtempSync(path.join(os.tmpdir(), 'kennel-types-'));

afterAll(() => rmSync(outside, { recursive: true, force: true }));

describe('the types of the library', () => {
  it('are enough for the strictest program that has nothing else installed', () => {
    writeLibraryTypes(outside);
    // The one that is plain JavaScript imports nothing of ours.
    const files = readdirSync(examples)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(examples, file));
    expect(files.length).toBeGreaterThan(5);
    const program = ts.createProgram(files, {
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, allowImportingTsExtensions: true },
      ...{ types: ['node'], typeRoots: [path.join(root, 'node_modules/@types')] },
      paths: {
        kennel: [path.join(outside, 'library/create-agent.d.ts')],
        'kennel/puppy': [path.join(outside, 'library/puppy.d.ts')],
      },
    });
    const own = ts
      .getPreEmitDiagnostics(program)
      .filter(({ file }) => !file?.fileName.includes('node_modules'));
    expect(own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    expect(program.getSourceFiles().some(({ fileName }) => fileName.startsWith(outside))).toBe(true);
  }, 60_000);
});
