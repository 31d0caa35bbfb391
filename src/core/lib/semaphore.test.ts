import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

it('The semaphore runs as many tasks as slots, in order of arrival, and frees the slot of a failed task', async () => {
  const semaphore = createSemaphore(2);
  const started: number[] = [];
  const works = Array.from({ length: 4 }, () => {
    let resolve: (value: number) => void = () => undefined;
    let reject: (error: Error) => void = () => undefined;
    const promise = new Promise<number>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    return { promise, resolve: (value: number) => resolve(value), reject: (error: Error) => reject(error) };
  });
  const results = works.map((work, index) =>
    semaphore(() => {
      started.push(index);
      return work.promise;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  works[1]?.reject(new Error('failed'));
  await expect(results[1]).rejects.toThrow('failed');
  expect(started).toEqual([0, 1, 2]);
  for (const [index, work] of works.entries()) work.resolve(index);
  expect(await Promise.all([results[0], results[2], results[3]])).toEqual([0, 2, 3]);
});
