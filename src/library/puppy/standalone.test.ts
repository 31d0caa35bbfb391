import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunDetail, RunItem } from './run-formats.ts';
import { openStandalone, type RunCommands } from './standalone.ts';

let root = '';
let commands: RunCommands;
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kennel-standalone-')));
  const env = { PATH: process.env.PATH, PUPPY_STATE_DIR: path.join(root, 'state') };
  const opened = openStandalone({ root, env });
  if (!opened.ok) throw new Error(opened.error.message);
  commands = opened.value;
});
afterEach(() => {
  commands.close();
  rmSync(root, { recursive: true, force: true });
});

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const listed = async (): Promise<readonly RunItem[]> => throughJson(await commands.list({ limit: 10 }));
async function shown(run: string): Promise<RunDetail> {
  const detail = await commands.show(run);
  if (!detail.ok) throw new Error(detail.error.message);
  return throughJson(detail.value);
}
async function run(source: string): Promise<string> {
  const envelope = await commands.run(source, {});
  if (!envelope.ok || envelope.runId === undefined) throw new Error(JSON.stringify(envelope));
  return envelope.runId;
}
const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text);

it('The name of a run is that of its workflow, else of its file, else "pipeline"', async () => {
  write('one.puppy', 'name: greet\nsteps:\n  - {id: g, approval: Go on?}\n');
  write('two.puppy', 'steps:\n  - {id: g, approval: Go on?}\n');
  const names = new Map([
    [await run('one.puppy'), 'greet'],
    [await run('two.puppy'), 'two.puppy'],
    [await run('commands.list'), 'pipeline'],
  ]);
  expect(new Map((await listed()).map(({ id, name }) => [id, name]))).toEqual(names);
  for (const [id, name] of names) expect(await shown(id)).toMatchObject({ id, name });
});

it('The steps of a run that waits at a gate are those that began, with the gate', async () => {
  write(
    'wf.puppy',
    'steps:\n  - {id: a, run: echo done}\n  - {id: g, approval: Go on?}\n  - {id: b, run: echo never}\n',
  );
  const id = await run('wf.puppy');
  const startedAt = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  expect(await listed()).toMatchObject([{ id, status: 'needs_approval', asks: [{ path: 'g' }] }]);
  expect((await shown(id)).steps).toEqual([
    { path: 'a', state: 'done', attempts: 1, startedAt, output: 'done\n', error: null },
    { path: 'g', state: 'waiting', attempts: 0, startedAt, output: '', error: null },
  ]);
});
