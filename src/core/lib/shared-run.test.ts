import { expect, it } from 'vitest';
import { loadOnce, SharedRun } from './shared-run.ts';

it('Callers share the run in progress, and a later call runs again', async () => {
  let runs = 0;
  const shared = new SharedRun<number>();
  const work = async (): Promise<number> => {
    runs += 1;
    return runs;
  };
  const both = await Promise.all([shared.run(work), shared.run(work)]);
  expect(shared.running).toBeNull();
  expect([...both, await shared.run(work)]).toEqual([1, 1, 2]);
});

it('A run that failed does not fail the next one', async () => {
  const shared = new SharedRun<string>();
  await expect(shared.run(() => Promise.reject(new Error('once')))).rejects.toThrow('once');
  expect(await shared.run(async () => 'then')).toBe('then');
});

it('A value is loaded once, and again only after a failure', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('once');
    return loads;
  });
  await expect(load()).rejects.toThrow('once');
  expect([await load(), await load(), loads]).toEqual([2, 2, 2]);
});
