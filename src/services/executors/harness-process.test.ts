import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { HarnessCommand, HarnessProcess, HarnessRecord } from '../../core/runtimes/harness-ports.ts';
import { processStart } from '../../platform/process-tree.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { splitLines } from './harness-lines.ts';
import { createHarnessProcesses } from './harness-process.ts';

const linux = process.platform === 'linux';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-harness-')));
const records = new Map<string, HarnessRecord>();
let isLedgerBroken = false;
const ledger = {
  add(record: HarnessRecord) {
    if (isLedgerBroken) return err(fail('io_error', 'harness.noWall'));
    records.set(record.id, record);
    return ok(undefined);
  },
  settle: (id: string) => void records.delete(id),
};
const port = createHarnessProcesses({
  clock: createSystemClock(),
  random: createSystemRandom(),
  ledger,
  hidden: [],
});
afterEach(() => {
  isLedgerBroken = false;
});
afterAll(async () => {
  await port.close();
  rmSync(folder, { recursive: true, force: true });
});

const sh = (script: string, more: Partial<HarnessCommand> = {}): HarnessCommand => ({
  agentId: 'ada',
  argv: ['/bin/sh', '-c', script],
  env: { PATH: '/usr/bin:/bin' },
  cwd: folder,
  wall: null,
  ...more,
});

async function begin(command: HarnessCommand): Promise<HarnessProcess> {
  const started = await port.start(command);
  if (!started.ok) throw new Error(started.error.message);
  return started.value;
}

async function allOf(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** The next lines of the output; the iterator stays open. */
function reader(harness: HarnessProcess): () => Promise<string> {
  const lines = harness.lines[Symbol.asyncIterator]();
  return async () => (await lines.next()).value ?? 'no more output';
}

const alive = (pid: string): boolean => processStart(Number(pid)) !== '';

describe.skipIf(process.platform === 'win32')('Process of a harness', () => {
  it('talks by lines, with exactly the given environment', async () => {
    process.env.KENNEL_CANARY = 'secret';
    const harness = await begin(
      sh('pwd; env | sort; while read -r line; do echo "got $line"; done; echo bad >&2; exit 3'),
    );
    delete process.env.KENNEL_CANARY;
    harness.write('one');
    harness.write('two');
    harness.closeInput();
    const lines = await allOf(harness.lines);
    expect(lines.filter((line) => !/^(KENNEL_RUN|OLDPWD|_|SHLVL)=/.test(line))).toEqual([
      folder,
      'PATH=/usr/bin:/bin',
      `PWD=${folder}`,
      'got one',
      'got two',
    ]);
    expect(await harness.exited).toEqual({ code: 3, signal: null, wasEnded: false });
    expect(harness.stderrTail()).toBe('bad\n');
  });

  it('F2: is in the ledger before its program runs, and no longer after its end', async () => {
    const seen = join(folder, 'seen');
    const harness = await begin(sh(`echo ran > ${seen}; read -r go`));
    const [record] = [...records.values()];
    expect(record).toMatchObject({ agentId: 'ada', program: 'sh', pid: harness.pid, hasWall: false });
    expect(record?.started).toBe(processStart(harness.pid));
    harness.closeInput();
    await harness.exited;
    expect(records.size).toBe(0);
  });

  it('F2: runs nothing if the ledger cannot be written', async () => {
    isLedgerBroken = true;
    const mark = join(folder, 'must-not-exist');
    const started = await port.start(sh(`echo ran > ${mark}`));
    expect(started.ok).toBe(false);
    isLedgerBroken = false;
    const check = await begin(sh(`test -e ${mark} && echo ran || echo clean`));
    expect(await reader(check)()).toBe('clean');
  });

  it('reports a missing program and a missing folder', async () => {
    const program = await port.start(sh('', { argv: ['/no/such/program'] }));
    const cwd = await port.start(sh('true', { cwd: '/no/such/folder' }));
    expect([program.ok || program.error.code, cwd.ok || cwd.error.code]).toEqual(['not_found', 'not_found']);
  });

  it('F2: ends with grandchildren that ignore SIGTERM', async () => {
    const harness = await begin(
      sh(`trap '' TERM; sh -c 'trap "" TERM; echo $$; sleep 60; sleep 60' & wait; sleep 60`),
    );
    const pid = await reader(harness)();
    await harness.end();
    expect([alive(pid), alive(`${harness.pid}`), records.size]).toEqual([false, false, 0]);
  });

  it.skipIf(!linux)('F2: ends with a daemon that left its group and parent', async () => {
    const script = join(folder, 'daemon.sh');
    writeFileSync(script, "(setsid sh -c 'echo $$; exec sleep 60' &)\n");
    const harness = await begin(sh(`sh ${script}; read -r go`));
    const pid = await reader(harness)();
    await harness.end();
    expect(alive(pid)).toBe(false);
  });

  it.skipIf(!linux)('F2: ends with a child that cleared its environment and left the group', async () => {
    const harness = await begin(sh(`env -i setsid sh -c 'echo $$; exec sleep 60' & wait`));
    const pid = await reader(harness)();
    await harness.end();
    expect(alive(pid)).toBe(false);
  });

  it('F2: leaves no child when its program ends or is killed', async () => {
    const harness = await begin(sh('sleep 60 & echo $!; wait'));
    const pid = await reader(harness)();
    process.kill(harness.pid, 'SIGKILL');
    expect(await harness.exited).toEqual({ code: null, signal: 'SIGKILL', wasEnded: false });
    expect(alive(pid)).toBe(false);
  });

  it('ends its output although a child keeps it open', async () => {
    const harness = await begin(sh('sleep 60 & echo done'));
    expect(await allOf(harness.lines)).toEqual(['done']);
  });
});

/** A host in a process of its own that runs one harness until it is killed. */
const hostProgram = `
const { createHarnessProcesses } = await import('${new URL('./harness-process.ts', import.meta.url).href}');
const { createSystemClock } = await import('${new URL('../clock/system-clock.ts', import.meta.url).href}');
const { createSystemRandom } = await import('${new URL('../clock/system-random.ts', import.meta.url).href}');
const ledger = { add: () => ({ ok: true, value: undefined }), settle() {} };
const port = createHarnessProcesses({ clock: createSystemClock(), random: createSystemRandom(), ledger, hidden: [] });
const script = "trap '' TERM HUP; setsid sh -c 'echo $$; exec sleep 60' & echo $$; sleep 60";
const started = await port.start(
  { agentId: 'ada', argv: ['/bin/sh', '-c', script], env: { PATH: process.env.PATH }, cwd: '/', wall: null },
);
for await (const line of started.value.lines) console.log(line);
`;

describe.skipIf(!linux)('Host that is killed', () => {
  it('F1: leaves no process of a harness, not even one that left the group', async () => {
    const host = spawn(process.execPath, ['--input-type=module', '-e', hostProgram]);
    try {
      const pids: string[] = [];
      for await (const line of createInterface({ input: host.stdout })) {
        pids.push(line);
        if (pids.length === 2) break;
      }
      expect(pids.map(alive)).toEqual([true, true]);
      host.kill('SIGKILL');
      await expect.poll(() => pids.map(alive)).toEqual([false, false]);
    } finally {
      host.kill('SIGKILL');
    }
  });
});

describe('Harnesses of a host that has ended', () => {
  it('are not started, also if they waited for memory meanwhile', async () => {
    const [clock, random] = [createSystemClock(), createSystemRandom()];
    const late = createHarnessProcesses({ clock, random, ledger, hidden: [] });
    const starting = late.start(sh('sleep 60'));
    await late.close();
    for (const started of [await starting, await late.start(sh('true'))])
      expect(started).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(records.size).toBe(0);
  });
});

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

describe('Lines of a harness', () => {
  it.each([
    { chunks: ['one\ntw', 'o\n\nthr', 'ee'], lines: ['one', 'two', '', 'three'] },
    { chunks: ['one\r\ntwo\n'], lines: ['one', 'two'] },
    { chunks: ['0123456789', '0123456789\nnext\n'], lines: ['0123456789', 'next'] },
    { chunks: [], lines: [] },
  ])('are whole and bounded: $lines', async ({ chunks, lines }) => {
    expect(await allOf(splitLines(chunksOf(...chunks), 10))).toEqual(lines);
  });

  it('keep a character that two chunks share', async () => {
    const [first, second] = [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])];
    const halves = (async function* () {
      yield first;
      yield second;
    })();
    expect(await allOf(splitLines(halves, 10))).toEqual(['é']);
  });
});
