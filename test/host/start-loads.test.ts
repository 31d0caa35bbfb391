import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const cli = path.resolve(import.meta.dirname, '../../dist/cli/kennel.js');

it('A starting host loads only what its first response needs, and no package files one by one', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kennel-start-loads-'));
  const told = path.join(root, 'loaded.json');
  const hook = path.join(root, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => {
      const required = Object.keys(require.cache).filter((name) => !name.endsWith('.node')).length - 1;
      require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify({ node: process.moduleLoadList, required }));
    });`,
  );
  try {
    // The folder cannot be created: all modules of the start are loaded, but no host runs.
    const { status, stderr } = spawnSync(process.execPath, [cli, 'start', '--no-demo'], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: root,
        NODE_OPTIONS: `--require=${hook}`,
        KENNEL_HOME: path.join(hook, 'x'),
      },
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining(hook)]);
    const { node, required } = JSON.parse(readFileSync(told, 'utf8')) as {
      readonly node: readonly string[];
      readonly required: number;
    };
    expect(node).toContain('NativeModule net');
    // The modules of the page and of heap trimming load after the first answer; the rest is never needed. The
    // log library loads `worker_threads` and `assert`.
    for (const late of ['http', 'zlib', 'v8', 'perf_hooks', 'internal/crypto/webcrypto'])
      expect(node, late).not.toContain(`NativeModule ${late}`);
    expect(required).toBe(0);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

it('Chunks of the command line do not load each other in circles, which would run them in the wrong order', () => {
  const staticImport = /(?:from|import)\s*["'](\.\.?\/[\w./-]+\.js)["']/g;
  const anyImport = /(?:from|import)\s*\(?\s*["'`](\.\.?\/[\w./-]+\.js)["'`]/g;
  const loads = (file: string, pattern: RegExp): readonly string[] =>
    [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => path.resolve(file, '..', name));
  const found = new Set([cli]);
  for (const file of found) for (const next of loads(file, anyImport)) found.add(next);
  expect(found.size).toBeGreaterThan(50);
  const finished = new Set<string>();
  const circle = (file: string, open: readonly string[]): readonly string[] | null => {
    if (open.includes(file)) return [...open, file].map((each) => path.basename(each));
    if (finished.has(file)) return null;
    for (const next of loads(file, staticImport)) {
      const closed = circle(next, [...open, file]);
      if (closed) return closed;
    }
    finished.add(file);
    return null;
  };
  for (const file of found) expect(circle(file, [])).toBeNull();
});
