import { describe, expect, it } from 'vitest';
import { plainBuiltins, withPlainBuiltins } from '../../scripts/lib/plain-builtins.ts';

/** Values of `names` after running `code` as a module. */
async function valuesOf(code: string, names: readonly string[]): Promise<readonly unknown[]> {
  const text = `${code}\nexport const seen = [${names.join(', ')}];`;
  const loaded: unknown = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);
  return (loaded as { readonly seen: readonly unknown[] }).seen;
}

const every = `import path, { join as put, sep } from "node:path";
import * as all from 'node:path';
import{default as again}from"node:path";
import "node:os";`;

describe('Node built-in modules in a bundle', () => {
  it('keep their values and names without import statements', async () => {
    const node = process.getBuiltinModule('node:path');
    for (const onOldNode of [false, true]) {
      const code = withPlainBuiltins(every, onOldNode);
      expect(code).not.toMatch(/^import/m);
      const seen = await valuesOf(code, ['path', 'put', 'sep', 'all', 'again']);
      expect(seen).toEqual([node, node.join, node.sep, node, node]);
    }
  });

  it('leave other imports and strings unchanged', () => {
    const code =
      'import { a } from "./a.js";\nimport b from "sodium-native";\nexport const c = \'import x from "node:fs"\';';
    expect(withPlainBuiltins(code)).toBe(code);
  });

  it('are imported dynamically only in entry files that an old Node must load', () => {
    const bundle = {
      'kennel.js': { name: 'kennel', code: 'import fs from "node:fs";' },
      'chunks/host.js': { name: 'host', code: 'import fs from "node:fs";' },
      'icon.png': {},
    };
    plainBuiltins(['kennel']).generateBundle(null, bundle);
    expect(bundle['kennel.js'].code).toContain('?? (await import("node:fs"))');
    expect(bundle['chunks/host.js'].code).not.toContain('import');
  });
});
