/**
 * Checks that each border rule reports its violation: one forbidden import per rule in a small tree, and one
 * allowed import.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BorderReport, checkBorders } from '../../scripts/borders.ts';

const root = path.resolve(import.meta.dirname, '../..');
const config = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs'));

type Case = readonly [rule: string, from: string, to: string];

const forbidden: readonly Case[] = [
  ['contract-is-small', 'src/contract/a.ts', 'src/core/lib/scope.ts'],
  ['contract-is-small', 'src/contract/b.ts', 'node:fs'],
  ['core-is-pure', 'src/core/lib/a.ts', 'node:fs'],
  ['core-is-pure', 'src/core/lib/b.ts', 'electron'],
  ['core-is-pure', 'src/core/lib/c.ts', 'src/services/disk/files.ts'],
  ['core-rank-0', 'src/core/lib/d.ts', 'src/core/puffo/ids.ts'],
  ['core-rank-1', 'src/core/puffo/a.ts', 'src/core/tools/tool.ts'],
  ['core-rank-2', 'src/core/tools/a.ts', 'src/core/loop/loop.ts'],
  ['core-rank-3', 'src/core/loop/a.ts', 'src/core/supervisor/worker.ts'],
  ['core-rank-4', 'src/core/supervisor/a.ts', 'src/core/runtimes/chat-local.ts'],
  ['service-knows-no-other-service', 'src/services/vault/a.ts', 'src/services/disk/files.ts'],
  ['service-stays-below-host', 'src/services/vault/b.ts', 'src/host/host.ts'],
  ['service-stays-below-host', 'src/services/vault/c.ts', 'electron'],
  ['service-stays-below-host', 'src/services/vault/d.ts', 'src/cli/kennel.ts'],
  ['relay-port-is-for-the-store', 'src/services/vault/e.ts', 'src/relay/store-port.ts'],
  ['host-has-no-shell', 'src/host/a.ts', 'electron'],
  ['host-has-no-shell', 'src/host/b.ts', 'react'],
  ['host-has-no-shell', 'src/host/c.ts', 'src/main/window.ts'],
  ['one-root', 'src/host/chat/a.ts', 'src/host/build-features.ts'],
  ['library-has-no-host', 'src/library/a.ts', 'src/host/host.ts'],
  ['relay-knows-only-wire-formats', 'src/relay/a.ts', 'src/host/host.ts'],
  ['relay-knows-only-wire-formats', 'src/relay/b.ts', 'src/core/supervisor/worker.ts'],
  ['relay-knows-only-wire-formats', 'src/relay/c.ts', 'src/services/disk/files.ts'],
  ['cli-is-a-client', 'src/cli/a.ts', 'electron'],
  ['cli-is-a-client', 'src/cli/b.ts', 'src/core/lib/scope.ts'],
  ['main-is-a-shell', 'src/main/a.ts', 'src/renderer/view.ts'],
  ['main-takes-types-only-from-within', 'src/main/b.ts', 'src/services/disk/files.ts'],
  ['main-takes-types-only-from-within', 'src/main/c.ts', 'src/core/lib/scope.ts'],
  ['platform-knows-no-domain', 'src/platform/a.ts', 'src/core/lib/scope.ts'],
  ['texts-know-nobody', 'src/language/a.ts', 'src/contract/result.ts'],
  ['preload-is-a-bridge', 'src/preload/a.ts', 'node:fs'],
  ['preload-is-a-bridge', 'src/preload/b.ts', 'src/host/host.ts'],
  ['renderer-is-a-replica', 'src/renderer/a.ts', 'electron'],
  ['renderer-is-a-replica', 'src/renderer/b.ts', 'src/core/lib/scope.ts'],
  ['renderer-is-a-replica', 'src/renderer/c.ts', 'src/services/disk/files.ts'],
  ['renderer-has-no-node', 'src/renderer/d.ts', 'node:fs'],
  ['one-file-opens-databases', 'src/services/db/a.ts', 'better-sqlite3-multiple-ciphers'],
  ['one-file-opens-databases', 'src/services/db/b.ts', 'libsql'],
  ['source-knows-no-tests', 'src/host/d.ts', 'vitest'],
  ['source-knows-no-tests', 'src/host/e.ts', 'test/fakes/clock.ts'],
  ['no-cycles', 'src/host/f.ts', 'src/host/g.ts'],
  ['no-cycles', 'src/host/type-a.ts', 'src/host/type-b.ts'],
  ['no-dead-import', 'src/host/h.ts', 'src/host/nowhere.ts'],
];

const allowed: readonly Case[] = [
  ['', 'src/contract/ok.ts', 'zod'],
  ['', 'src/platform/ok.ts', 'node:fs'],
  ['', 'src/core/supervisor/ok.ts', 'src/core/loop/loop.ts'],
  ['', 'src/core/puffo/ok.ts', 'src/core/lib/scope.ts'],
  ['', 'src/services/vault/ok.ts', 'node:fs'],
  ['', 'src/services/db/ok.ts', 'src/relay/store-port.ts'],
  ['', 'src/services/db/binding.ts', 'better-sqlite3-multiple-ciphers'],
  ['', 'src/host/ok.ts', 'src/services/disk/files.ts'],
  ['', 'src/host/create-host.ts', 'src/host/build-features.ts'],
  ['', 'src/relay/ok.ts', 'src/core/puffo/ids.ts'],
  ['', 'src/cli/ok.ts', 'src/host/host.ts'],
  ['', 'src/main/ok.ts', 'electron'],
  ['', 'src/preload/ok.ts', 'electron'],
  ['', 'src/renderer/ok.ts', 'react'],
];

const targets = [
  'src/core/lib/scope.ts',
  'src/core/puffo/ids.ts',
  'src/core/tools/tool.ts',
  'src/core/loop/loop.ts',
  'src/core/supervisor/worker.ts',
  'src/core/runtimes/chat-local.ts',
  'src/services/disk/files.ts',
  'src/host/host.ts',
  'src/host/build-features.ts',
  'src/main/window.ts',
  'src/cli/kennel.ts',
  'src/renderer/view.ts',
  'src/relay/store-port.ts',
  'test/fakes/clock.ts',
];

const isFile = (target: string): boolean => /^(src|test)\//.test(target);

function specifier(from: string, to: string): string {
  if (!isFile(to)) return to;
  const relative = path.posix.relative(path.posix.dirname(from), to);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

let folder = '';
let report: BorderReport;

function write(file: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

const violationsOf = (from: string): string[] => {
  const names = report.violations.filter((violation) => violation.from === from).map(({ rule }) => rule.name);
  return [...new Set(names)];
};

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kennel-borders-')));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const target of targets) write(target, 'export const thing = 1;\n');
  for (const [, from, to] of [...forbidden, ...allowed]) {
    write(from, `import * as it from '${specifier(from, to)}';\nexport const user = it;\n`);
  }
  write('src/host/g.ts', "import * as it from './f.ts';\nexport const user = it;\n");
  // A circle of types only.
  write('src/host/type-a.ts', "import type { B } from './type-b.ts';\nexport type A = B | null;\n");
  write('src/host/type-b.ts', "import type { A } from './type-a.ts';\nexport type B = readonly A[];\n");
  report = await checkBorders(folder);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('borders between the rooms', () => {
  it.each(forbidden)('%s refuses %s -> %s', (rule, from) => {
    expect(violationsOf(from)).toContain(rule);
  });

  it.each(allowed)('nothing refuses %s%s -> %s', (_rule, from) => {
    expect(report.violations.filter((violation) => violation.from === from)).toEqual([]);
  });

  it('has a biting case for every rule there is', () => {
    const names: string[] = config.forbidden.map((rule: { name: string }) => rule.name);
    const tried = new Set(forbidden.map(([rule]) => rule));
    expect(names.filter((name) => !tried.has(name))).toEqual([]);
  });

  it('lets the shell take a type from within', async () => {
    write(
      'src/main/type-user.ts',
      "import type { Shape } from '../core/lib/shape.ts';\nexport type User = Shape;\n",
    );
    write('src/core/lib/shape.ts', 'export type Shape = { readonly kind: 1 };\n');
    const again = await checkBorders(folder);
    expect(again.violations.filter((violation) => violation.from === 'src/main/type-user.ts')).toEqual([]);
  });

  it('counts what it looked at, so that an empty run is seen', async () => {
    expect(report.modules).toBeGreaterThan(forbidden.length);
    const empty = mkdtempSync(path.join(tmpdir(), 'kennel-empty-'));
    mkdirSync(path.join(empty, 'src'));
    expect((await checkBorders(empty)).modules).toBe(0);
    rmSync(empty, { recursive: true });
  });
});
