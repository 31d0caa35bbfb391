import { describe, expect, it } from 'vitest';
import { createOrderedOutput, runScheduled } from '../../scripts/lib/schedule.mjs';

interface Job {
  readonly name: string;
  readonly cost: number | 'all';
  readonly after?: readonly string[];
}

/** Starts jobs, ends the named ones in turn, and returns the running jobs after each step. */
async function runningAt(jobs: readonly Job[], cores: number, ends: readonly string[]): Promise<string[]> {
  const running = new Map<string, () => void>();
  const finished = runScheduled(
    jobs,
    cores,
    (job) => new Promise((resolve) => running.set(job.name, resolve)),
  );
  const moments = [[...running.keys()].join(' ')];
  for (const name of ends) {
    running.get(name)?.();
    running.delete(name);
    // The end of a job is handled in a microtask of its own.
    await Promise.resolve();
    await Promise.resolve();
    moments.push([...running.keys()].join(' '));
  }
  await finished;
  return moments;
}

describe('Jobs', () => {
  it('run in parallel as far as the cores allow', async () => {
    const jobs: Job[] = [
      { name: 'lint', cost: 1 },
      { name: 'types', cost: 1 },
      { name: 'unit', cost: 'all' },
    ];
    expect(await runningAt(jobs, 2, ['lint', 'types', 'unit'])).toEqual(['lint types', 'types', 'unit', '']);
  });

  it('that need more cores than available take all of them', async () => {
    const jobs: Job[] = [
      { name: 'a', cost: 3 },
      { name: 'b', cost: 1 },
    ];
    expect(await runningAt(jobs, 1, ['a', 'b'])).toEqual(['a', 'b', '']);
  });

  it('wait for their dependencies, and no later job overtakes them', async () => {
    const jobs: Job[] = [
      { name: 'build', cost: 1 },
      { name: 'host', cost: 1, after: ['build'] },
      { name: 'late', cost: 1 },
    ];
    expect(await runningAt(jobs, 2, ['build', 'host', 'late'])).toEqual(['build', 'host late', 'late', '']);
  });

  it('do not wait for a dependency outside the run', async () => {
    expect(await runningAt([{ name: 'host', cost: 1, after: ['build'] }], 2, ['host'])).toEqual(['host', '']);
  });

  it('can be an empty list', async () => {
    expect(await runningAt([], 2, [])).toEqual(['']);
  });
});

describe('Output of parallel jobs', () => {
  const written = () => {
    const pieces: unknown[] = [];
    return { output: createOrderedOutput((piece) => pieces.push(piece)), pieces };
  };

  it('is printed at once for the first job, and for the next when the first has ended', () => {
    const { output, pieces } = written();
    const [first, second] = [output.open(), output.open()];
    first.write('1a');
    second.write('2a');
    first.write('1b');
    expect(pieces).toEqual(['1a', '1b']);
    first.end();
    expect(pieces).toEqual(['1a', '1b', '2a']);
    second.write('2b');
    expect(pieces).toEqual(['1a', '1b', '2a', '2b']);
  });

  it('is buffered completely if a later job ends first', () => {
    const { output, pieces } = written();
    const [first, second, third] = [output.open(), output.open(), output.open()];
    third.write('3');
    third.end();
    second.write('2');
    second.end();
    expect(pieces).toEqual([]);
    first.end();
    expect(pieces).toEqual(['2', '3']);
  });
});
