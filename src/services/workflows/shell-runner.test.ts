import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStepWorld } from '../../../test/fakes/step-world.ts';
import { processStart } from '../../platform/process-tree.ts';

let world: ReturnType<typeof createStepWorld>;
beforeEach(() => {
  world = createStepWorld();
});
afterEach(() => world.dispose());

const file = (name: string): string => path.join(world.root, name);
const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 1_500 && !holds(); tries += 1) await new Promise((go) => setTimeout(go, 10));
  expect(holds()).toBe(true);
};
const gone = (name: string): boolean => processStart(Number(readFileSync(file(name), 'utf8'))) === '';

describe('Shell steps', () => {
  it('return stdout; pass string stdin unchanged and other values as JSON', async () => {
    expect(await world.shell('printf "a\\nb\\n"')).toEqual({ type: 'done', stdout: 'a\nb\n' });
    expect(await world.shell('cat', { stdin: 'a b' })).toEqual({ type: 'done', stdout: 'a b' });
    expect(await world.shell('cat', { stdin: { a: [1] } })).toEqual({ type: 'done', stdout: '{"a":[1]}' });
  });

  it('report the exit code or signal and the last stderr output on failure', async () => {
    const failed = {
      type: 'failed',
      code: 'failed',
      message: expect.objectContaining({ text: "Step 'one' failed (7): boom" }),
      retry: true,
    };
    expect(await world.shell('echo boom >&2; exit 7')).toEqual(failed);
    expect(await world.shell('kill -TERM $$')).toMatchObject({
      message: { text: "Step 'one' failed (SIGTERM)" },
    });
  });

  it('run without a login shell and without undeclared environment variables', async () => {
    writeFileSync(file('.profile'), 'echo welcome\n');
    const seen = await world.shell('env | cut -d= -f1 | sort | tr "\\n" " "', { args: { 'reply-to': 'x' } });
    const names = seen.type === 'done' ? (seen.stdout ?? '').trim().split(' ') : [];
    expect(names).not.toContain('SECRET');
    expect(names).not.toContain('KENNEL_GO');
    for (const name of ['PATH', 'HOME', 'PUPPY_ARG_REPLY_TO', 'PUPPY_ARGS_JSON', 'PUPPY_IDEMPOTENCY_KEY']) {
      expect(names).toContain(name);
    }
  });

  it('T9: pass any argument as an environment variable and quote it in the command', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
        const value = text.replaceAll('\0', '');
        const steps = [{ id: 'one', run: `printf "%s" "$PUPPY_ARG_V"; printf "|%s" ${'$'}{v}` }];
        const both = await world.run(JSON.stringify({ args: { v: {} }, steps }), { args: { v: value } });
        expect(both).toEqual({ type: 'done', stdout: `${value}|${value}` });
      }),
      { numRuns: 25 },
    );
  }, 30_000);

  it('join a UTF-8 character that arrives in two output chunks', async () => {
    const text = await world.shell('printf "\\360\\237"; sleep 0.15; printf "\\246\\236"');
    expect(text).toEqual({ type: 'done', stdout: '🦞' });
  });

  it('T24: stop a program that exceeds the output limit, without buffering its output', async () => {
    world.dispose();
    world = createStepWorld({ maxProgramBytes: 100_000 });
    const before = process.memoryUsage.rss();
    expect(await world.shell('yes')).toMatchObject({ type: 'failed', code: 'too_large', retry: false });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('T24: return 50 MB of output', async () => {
    const big = await world.shell('head -c 50000000 /dev/zero | tr "\\0" x');
    expect(big.type === 'done' && big.stdout?.length).toBe(50_000_000);
  }, 30_000);

  it('pass large stdin completely, also with a character across two chunks', async () => {
    const big = `${'x'.repeat(65_535)}\u{1f436}${'y'.repeat(65_536)}\u{1f436}`;
    expect(await world.shell('cat', { stdin: big })).toEqual({ type: 'done', stdout: big });
    expect(await world.shell('wc -c', { stdin: big })).toMatchObject({
      stdout: expect.stringContaining('131079'),
    });
  });

  it('read /dev/null without stdin, and receive given stdin completely, including the first line', async () => {
    expect(await world.shell('test -c /dev/stdin && wc -c')).toMatchObject({
      stdout: expect.stringMatching(/^\s*0\s*$/),
    });
    expect(await world.shell('echo "[$(cat)]"', { stdin: '' })).toEqual({ type: 'done', stdout: '[]\n' });
    expect(await world.shell('read -r a; echo "<$a>"; cat', { stdin: 'one\ntwo' })).toEqual({
      type: 'done',
      stdout: '<one>\ntwo',
    });
  });

  it('succeed when the program closes stdin without reading it', async () => {
    const big = 'x'.repeat(3_000_000);
    expect(await world.shell('exec 0<&-; echo ok', { stdin: big })).toEqual({ type: 'done', stdout: 'ok\n' });
  });
});

describe('Step processes', () => {
  it('F1: start only after the spawn callback has recorded them', async () => {
    const seen: boolean[] = [];
    await world.shell('echo x > effect', {
      spawned: ({ pid }) => {
        const end = Date.now() + 80;
        while (Date.now() < end);
        seen.push(existsSync(file('effect')), processStart(pid) !== '');
      },
    });
    expect(seen).toEqual([false, true]);
    expect(existsSync(file('effect'))).toBe(true);
  });

  it('F1: have no effect and end if recording them fails', async () => {
    const spawned = (): void => {
      throw new Error('disk full');
    };
    await expect(world.shell('echo x > effect', { spawned })).rejects.toThrow('disk full');
    await new Promise((go) => setTimeout(go, 50));
    expect(existsSync(file('effect'))).toBe(false);
    expect(world.marks.every(({ pid }) => processStart(pid) === '')).toBe(true);
  });

  it.each([
    ['of their own', 'sleep 30 & echo $! > pid; wait'],
    ['that left the session', "setsid sh -c 'echo $$ > pid; exec sleep 30' & sleep 30"],
    ['that left it twice', "setsid setsid sh -c 'echo $$ > pid; exec sleep 30' & sleep 30"],
  ])('end with all children %s when the step is cancelled', async (_, line) => {
    const control = new AbortController();
    const ended = world.shell(line, { signal: control.signal });
    await until(() => existsSync(file('pid')) && readFileSync(file('pid'), 'utf8') !== '');
    control.abort();
    expect(await ended).toMatchObject({ type: 'failed', code: 'cancelled' });
    expect(gone('pid')).toBe(true);
  });

  it('cannot delay the step by keeping its stdout open', async () => {
    const done = await world.shell(
      "setsid sh -c 'echo $$ > pid; exec sleep 30' & until [ -s pid ]; do :; done; echo said",
    );
    expect(done).toEqual({ type: 'done', stdout: 'said\n' });
    expect(gone('pid')).toBe(true);
  });

  it('F1: are killed by their run ID after a crash; those of another run keep running', async () => {
    const other = createStepWorld({ root: world.root });
    const control = new AbortController();
    const orphan = other.shell("setsid sh -c 'echo $$ > pid; exec sleep 30' & sleep 30");
    await until(() => existsSync(file('pid')) && readFileSync(file('pid'), 'utf8') !== '');
    const own = world.shell('sleep 30', { signal: control.signal });
    await until(() => world.marks.length === 1);
    const [mark] = other.marks;
    if (!mark) throw new Error('nothing was started');
    await world.runners.reap(mark, '7d0f1c52-0000-4000-8000-000000000001');
    expect(await orphan).toMatchObject({ type: 'failed' });
    expect(gone('pid')).toBe(true);
    expect(processStart(world.marks[0]?.pid ?? 0)).not.toBe('');
    control.abort();
    await own;
    other.dispose();
  });

  it('are not confused with other processes that reuse their process ID', async () => {
    const control = new AbortController();
    const own = world.shell('sleep 30', { signal: control.signal });
    await until(() => world.marks.length === 1);
    const pid = world.marks[0]?.pid ?? 0;
    await world.runners.reap({ pid, started: 'another time' }, 'another run');
    expect(processStart(pid)).not.toBe('');
    control.abort();
    await own;
  });
});

describe('Step working directory', () => {
  const where = (cwd: string) =>
    world.run(JSON.stringify({ args: { d: {} }, steps: [{ id: 'one', run: 'pwd', cwd: `${'$'}{d}` }] }), {
      args: { d: cwd },
    });

  it('is resolved below the working directory of the run', async () => {
    mkdirSync(file('in'));
    expect(await where('in')).toEqual({ type: 'done', stdout: `${file('in')}\n` });
    expect(await where('')).toEqual({ type: 'done', stdout: `${world.root}\n` });
  });

  it('T14: rejects "..", absolute paths, symlinks to outside and missing folders', async () => {
    symlinkSync('/tmp', file('out'));
    expect(await where('../..')).toMatchObject({
      message: { text: 'cwd must stay within the working directory.' },
    });
    expect(await where('/tmp')).toMatchObject({ message: { text: 'cwd must be a relative path.' } });
    expect(await where('out')).toMatchObject({
      message: { text: 'cwd must stay within the working directory.' },
    });
    expect(await where('nowhere')).toMatchObject({ message: { text: 'The working folder does not exist.' } });
  });
});
