import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunSummary } from '../../src/contract/workflow-methods.ts';
import { englishText } from '../../src/language/host-message.ts';
import { newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const { home, remove } = await newDemoHome();
let kennel: TestHost;
beforeAll(async () => {
  kennel = await startHost(home);
  await kennel.call('setup.tryDemo', {});
  const folder = join(home, 'workflows', 'team');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'greet.puppy'),
    `description: Says hello\nargs: {who: {type: string}}\nsteps: [{id: a, run: "echo hello \${who}"}]\n`,
  );
  writeFileSync(join(folder, 'ask.puppy'), 'steps: [{id: a, approval: "Go on?"}]\n');
}, 60_000);
afterAll(async () => {
  await kennel?.stop();
  remove();
});

/** Waits for the end of a pipeline run. */
async function ended(pipeline: string): Promise<RunSummary> {
  const { id } = await kennel.call('runs.start', { pipeline });
  return until('the end', async () => {
    const { run } = await kennel.call('runs.get', { run: id });
    return run.status === 'ok' || run.status === 'failed' ? run : undefined;
  });
}

const outputOf = async (run: string): Promise<string> => (await kennel.call('runs.get', { run })).outputJson;

it('A pipeline lists the workflows of the folder and the examples, and runs one by name', async () => {
  const listed = await ended('workflows.list | pick name');
  const names = await outputOf(listed.id);
  for (const name of ['team/greet', 'team/ask', 'weekly-review']) expect(names).toContain(name);

  const run = await ended(`workflows.run --name team/greet --args-json '{"who":"Ann"}'`);
  expect(run.status).toBe('ok');
  expect(await outputOf(run.id)).toContain('hello Ann');
  // The nested workflow is a run of its own.
  const { runs } = await kennel.call('runs.list', { limit: 10 });
  expect(runs.filter(({ name }) => name.includes('greet'))).toMatchObject([{ status: 'ok' }]);
});

it('An unknown name is an error; a nested workflow that would wait for approval fails without a question', async () => {
  expect(englishText((await ended('workflows.run --name nothing')).message)).toContain(
    'no workflow named nothing',
  );
  const asking = await ended('workflows.run --name team/ask');
  expect(asking).toMatchObject({ status: 'failed' });
  expect(englishText(asking.message)).toContain('waits for an answer');
  const { approvals } = await kennel.call('approvals.list', { state: 'waiting', limit: 50 });
  expect(approvals.filter(({ kind }) => kind === 'workflow')).toEqual([]);
});
