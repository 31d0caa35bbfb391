import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MethodInput } from '../../src/contract/methods.ts';
import { newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const { home, remove } = await newDemoHome();
let kennel: TestHost;
beforeAll(async () => {
  kennel = await startHost(home);
  await kennel.call('setup.tryDemo', {});
}, 60_000);
afterAll(async () => {
  await kennel?.stop();
  remove();
});

const verifier = resolve(import.meta.dirname, '../../docs/examples/verify-run.mjs');

/** A text of 5 MB in surrogate pairs, so that some piece boundary splits a pair. */
const large = `
name: large
steps:
  - id: wide
    run: node -e 'process.stdout.write("x" + "🐶".repeat(1_250_000))'
`;

async function inPieces(run: string): Promise<readonly string[]> {
  const pieces: string[] = [];
  let from: MethodInput<'runs.piece'>['from'];
  for (;;) {
    const piece = await kennel.call('runs.piece', { run, ...(from ? { from } : {}) });
    pieces.push(piece.text);
    if (piece.next === null) return pieces;
    from = piece.next;
  }
}

it('T28: A run downloaded in pieces equals the exported file and is verified without Kennel', async () => {
  const { id } = await kennel.call('runs.start', { text: large });
  await until('the end', async () => {
    const { run } = await kennel.call('runs.get', { run: id });
    return run.status === 'ok' ? run : undefined;
  });
  const path = join(home, 'written.jsonl');
  const { events, head } = await kennel.call('runs.export', { run: id, path });

  const pieces = await inPieces(id);
  expect(pieces.length).toBeGreaterThan(1);
  const taken = join(home, 'taken.jsonl');
  // Writes each piece separately, as a page does: a split character would be lost here.
  writeFileSync(taken, Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  expect(readFileSync(taken).equals(readFileSync(path))).toBe(true);
  const { status, stdout, stderr } = spawnSync(process.execPath, [verifier, taken], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(`Whole: ${events} events, the last is ${head}.`);
}, 60_000);

it('A download is rejected if the history is shorter than its first piece stated', async () => {
  const { runs } = await kennel.call('runs.list', {});
  const from = { events: 1_000, line: 3, at: 0 };
  const told = await kennel.tryCall('runs.piece', { run: runs[0]?.id ?? '', from });
  expect(told).toMatchObject({ ok: false, error: { code: 'conflict' } });
});

it('A finished run is archived and comes back; a search finds it in the archive', async () => {
  const shown = async (query: { archived?: boolean; text?: string } = {}) =>
    (await kennel.call('runs.list', query)).runs.map(({ id }) => id);
  const [run = ''] = await shown();
  expect(await kennel.call('runs.archive', { archived: true, runs: [run.slice(0, 12)] })).toEqual({
    runs: [run],
  });
  expect(await shown()).not.toContain(run);
  expect(await shown({ archived: true })).toEqual([run]);
  expect(await shown({ text: run })).toEqual([run]);
  expect((await kennel.call('runs.get', { run })).run.archivedAt).not.toBeNull();
  await kennel.call('runs.archive', { archived: false, runs: [run] });
  expect(await shown()).toContain(run);
  expect(await kennel.tryCall('runs.archive', { archived: true })).toMatchObject({
    error: { code: 'invalid_input' },
  });
});
