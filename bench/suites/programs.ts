/**
 * Agent programs in Kennel beside the same programs alone, on a scripted model that answers at once: time to the
 * first token, a warm turn, a cancellation, the way of a permission, and memory. Kennel starts them behind a wall
 * and gives them the model through its relay. The real programs come from the cache of the conformance suites.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ok } from '../../src/contract/result.ts';
import { readUpdate } from '../../src/core/runtimes/acp/acp-messages.ts';
import { createAcpProtocol } from '../../src/core/runtimes/acp/acp-protocol.ts';
import type { HarnessProcessPort } from '../../src/core/runtimes/harness-ports.ts';
import { createProgramRuntime } from '../../src/core/runtimes/program/program-runtime.ts';
import { programRecipes } from '../../src/host/harnesses/cli-local.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { createHarnessProcesses } from '../../src/services/executors/harness-process.ts';
import { connectAcp } from '../../src/services/harnesses/acp-connection.ts';
import { gemini } from '../../test/conformance/acp-programs.ts';
import { claudeCodePackage } from '../../test/conformance/claude-code.ts';
import { createClaudeWall } from '../../test/conformance/claude-wall.ts';
import { reply } from '../../test/conformance/claude-world.ts';
import { fetchHarness } from '../../test/conformance/harness-suite.ts';
import { claudeRig } from '../../test/fakes/claude-rig.ts';
import { createGeminiServer } from '../../test/fakes/gemini-server.ts';
import { createMessagesServer, hasToolResult, lastUserText } from '../../test/fakes/messages-server.ts';
import { type BenchRow, loadNote, median, pause, report } from '../lib/measure.ts';

const rounds = 5;
const awake = 20;
const clock = createSystemClock();
const random = createSystemRandom();
let nth = 0;
const answer = (text: string, isResult: boolean) => {
  nth += 1;
  return reply(text, isResult, nth);
};
const messages = await createMessagesServer((asked) => answer(lastUserText(asked), hasToolResult(asked)));
const google = await createGeminiServer(({ text, isResult }) => answer(text, isResult));
const ledger = { add: () => ok(undefined), settle: () => undefined };
const plain = createHarnessProcesses({ clock, random, ledger, hidden: [] });

/** Notes when the program asked, and when its answer was written. */
function watched(port: HarnessProcessPort, ways: number[]): HarnessProcessPort {
  const isRequest = /"can_use_tool"|session\/request_permission/;
  const isAnswer = /"behavior"|"outcome"/;
  return {
    ...port,
    async start(command) {
      const started = await port.start(command);
      if (!started.ok) return started;
      const program = started.value;
      let askedAt = 0;
      async function* lines() {
        for await (const line of program.lines) {
          if (isRequest.test(line)) askedAt = performance.now();
          yield line;
        }
      }
      const write = (line: string): void => {
        if (askedAt > 0 && isAnswer.test(line)) {
          ways.push(performance.now() - askedAt);
          askedAt = 0;
        }
        program.write(line);
      };
      return ok({ ...program, lines: lines(), write });
    },
  };
}

type Id = 'claude-code' | 'gemini-cli';

/** A runtime of Kennel with one program. */
async function openKennel(id: Id, program: string) {
  const ways: number[] = [];
  const recipe = programRecipes.find(({ harness }) => harness === id);
  if (!recipe) throw new Error(`no recipe for ${id}`);
  const isGemini = id === 'gemini-cli';
  const wall = await createClaudeWall({
    program,
    modelUrl: isGemini ? google.url : messages.url,
    ...(isGemini ? { other: { recipe, model: gemini.model } } : {}),
  });
  const rig = claudeRig({
    trusted: true,
    agent: (parts) => wall.agent({ ...parts, processes: watched(parts.processes, ways) }),
    ...(isGemini
      ? {
          runtime: (deps: Parameters<typeof createProgramRuntime>[0]) =>
            createProgramRuntime(deps, createAcpProtocol({ id, mode: 'default' }, connectAcp)),
        }
      : {}),
  });
  let isFirst = true;
  return {
    rig,
    ways,
    /** ms to the first token, and to the end of a turn that is stopped at `stopAt`. */
    async turn(text: string, stopAt?: 'text_delta' | 'step') {
      if (isFirst) rig.say(text);
      else rig.nextTurn(text);
      isFirst = false;
      const started = performance.now();
      let firstAt = 0;
      let stoppedAt = 0;
      await rig.run(({ type }) => {
        if (type === 'text_delta' && firstAt === 0) firstAt = performance.now();
        if (type !== stopAt || stoppedAt > 0) return;
        stoppedAt = performance.now();
        rig.abort('stopped');
      });
      return { firstMs: firstAt - started, stopMs: performance.now() - stoppedAt };
    },
    async end() {
      await rig.end();
      await wall.end();
    },
  };
}

/** ms from the start of the bare command to the first output that holds the answer. */
function bareMs(program: string, args: readonly string[], env: Record<string, string>): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    cwd: env.HOME,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (piece: Buffer) => {
      text += piece.toString('utf8');
      if (!text.includes('hello')) return;
      resolve(performance.now() - started);
      child.kill('SIGKILL');
    });
    child.once('exit', () => reject(new Error(`${program} said nothing: ${text.slice(0, 300)}`)));
  });
}

const newHome = (): string => mkdtempSync(path.join(os.tmpdir(), 'kennel-bench-program-'));

const bareClaude = (program: string, home: string): Promise<number> =>
  bareMs(program, ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages', 'hi'], {
    HOME: home,
    CLAUDE_CONFIG_DIR: home,
    ANTHROPIC_BASE_URL: messages.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  });

async function geminiStart(program: string, home: string) {
  const recipe = programRecipes.find(({ harness }) => harness === 'gemini-cli');
  for (const name of ['config', 'tmp']) mkdirSync(path.join(home, name), { recursive: true });
  const line = await recipe?.prepare({
    entry: program,
    program,
    folders: { home, config: path.join(home, 'config'), tmp: path.join(home, 'tmp') },
    choice: null,
    model: gemini.model.model,
    access: { url: google.url, token: 'none' },
    sessionId: '',
    isNew: true,
    userHome: home,
  } as never);
  const env = { PATH: `${path.dirname(program)}:${process.env.PATH}`, HOME: home, ...line?.env };
  return { args: line?.args ?? [], env };
}

/** A client of the protocol without Kennel: ms to the first token of a new process, and of a warm turn. */
async function rawGemini(program: string): Promise<{ readonly firstMs: number; readonly warmMs: number }> {
  const home = newHome();
  const { args, env } = await geminiStart(program, home);
  const started = performance.now();
  const opened = await plain.start({ agentId: 'raw', argv: [program, ...args], env, cwd: home, wall: null });
  if (!opened.ok) throw new Error(opened.error.message);
  let heard = (): void => undefined;
  const connection = connectAcp(opened.value, {
    update: (params) => void (readUpdate(params).type === 'text' && heard()),
    permission: async () => ({ outcome: 'cancelled' }),
  });
  const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
  await connection.request('initialize', { protocolVersion: 1, clientCapabilities });
  const session = await connection.request('session/new', { cwd: home, mcpServers: [] });
  const { sessionId } = (session.ok ? session.value : {}) as { sessionId: string };
  const prompt = async (from: number): Promise<number> => {
    const first = new Promise<number>((resolve) => {
      heard = () => resolve(performance.now() - from);
    });
    await connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hi' }] });
    return first;
  };
  const firstMs = await prompt(started);
  const warmMs = await prompt(performance.now());
  await opened.value.end();
  rmSync(home, { recursive: true, force: true });
  return { firstMs, warmMs };
}

const pssOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Proportional memory in KiB of all processes of Kennel's programs, and of the programs alone. */
function memoryOf(marker: string, isProgram: (command: string) => boolean) {
  let [all, own, count] = [0, 0, 0];
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'utf8').includes(marker)) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const pss = pssOf(Number(name));
      all += pss;
      count += 1;
      if (isProgram(command)) own += pss;
    } catch {
      // The process ended.
    }
  }
  return { all, own, count };
}

const note = (): string => `median of ${rounds}; ${loadNote()}`;
const row = (name: string, ratio: number, goal: number, figures: Record<string, number>): BenchRow => ({
  name,
  ratio,
  goal,
  better: 'lower',
  figures,
  note: note(),
});
const skippedRow = (name: string, goal: number, why: string): BenchRow => ({
  name,
  ratio: null,
  goal,
  better: 'lower',
  figures: {},
  note: why,
});

async function repeated(work: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await work());
  return median(all);
}

async function claudeRows(program: string): Promise<readonly BenchRow[]> {
  const [bare, first, warm, stop, stopShell, ways, writes]: number[][] = [[], [], [], [], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const home = newHome();
    bare?.push(await bareClaude(program, home));
    rmSync(home, { recursive: true, force: true });
    const kennel = await openKennel('claude-code', program);
    first?.push((await kennel.turn('hi')).firstMs);
    warm?.push((await kennel.turn('hi')).firstMs);
    await kennel.turn(`TOOL Read {"file_path":"${kennel.rig.workspace}/none.txt"} END`);
    ways?.push(...kennel.ways.splice(0));
    await kennel.turn('TOOL Bash {"command":"touch a"} END');
    writes?.push(...kennel.ways.splice(0));
    stop?.push((await kennel.turn('HOLD', 'text_delta')).stopMs);
    stopShell?.push((await kennel.turn('TOOL Bash {"command":"sleep 30"} END', 'step')).stopMs);
    await kennel.end();
  }
  const of = (values: number[] | undefined): number => median(values ?? []);
  return [
    row('Claude Code: start to first token / bare command', of(first) / of(bare), 1.1, {
      kennelMs: of(first),
      bareMs: of(bare),
      warmMs: of(warm),
    }),
    row('Claude Code: stop of a streaming turn / 300 ms', of(stop) / 300, 1, { stopMs: of(stop) }),
    row('Claude Code: stop of a turn with a call / 300 ms', of(stopShell) / 300, 1, {
      stopMs: of(stopShell),
    }),
    row('permission: way through Kennel / 10 ms', of(ways) / 10, 1, {
      ms: of(ways),
      requests: ways?.length ?? 0,
      withRestorePointMs: of(writes),
    }),
  ];
}

async function geminiRows(program: string): Promise<readonly BenchRow[]> {
  const [raw, rawWarm, first, warm, stop]: number[][] = [[], [], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const client = await rawGemini(program);
    raw?.push(client.firstMs);
    rawWarm?.push(client.warmMs);
    const kennel = await openKennel('gemini-cli', program);
    first?.push((await kennel.turn('hi')).firstMs);
    warm?.push((await kennel.turn('hi')).firstMs);
    stop?.push((await kennel.turn('HOLD', 'text_delta')).stopMs);
    await kennel.end();
  }
  const of = (values: number[] | undefined): number => median(values ?? []);
  return [
    row('Gemini CLI: start to first token / raw client', of(first) / of(raw), 1.1, {
      kennelMs: of(first),
      rawMs: of(raw),
    }),
    row('Gemini CLI: first token of a warm turn / raw client', of(warm) / of(rawWarm), 1.2, {
      kennelMs: of(warm),
      rawMs: of(rawWarm),
    }),
    row('Gemini CLI: stop of a streaming turn / 300 ms', of(stop) / 300, 1, { stopMs: of(stop) }),
  ];
}

/** A program whose children ignore SIGTERM. */
async function endRow(): Promise<BenchRow> {
  const ms = await repeated(async () => {
    const script = `trap '' TERM; sh -c 'trap "" TERM; sleep 60' & (setsid sleep 60 &); wait; sleep 60`;
    const started = await plain.start({
      agentId: 'a',
      argv: ['/bin/sh', '-c', script],
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      wall: null,
    });
    if (!started.ok) throw new Error(started.error.message);
    await pause(200);
    const from = performance.now();
    await started.value.end();
    return performance.now() - from;
  });
  return row('program with stubborn children: end to nothing left / 2 s', ms / 2_000, 1, { ms });
}

async function memoryRow(program: string): Promise<BenchRow> {
  const kennels = [];
  for (let at = 0; at < awake; at += 1) {
    const kennel = await openKennel('claude-code', program);
    await kennel.turn('hi');
    kennels.push(kennel);
  }
  const { all, own, count } = memoryOf('KENNEL_RUN=harness:', (command) => command.startsWith(program));
  await Promise.all(kennels.map((kennel) => kennel.end()));
  return row(`${awake} awake agents with Claude Code: memory / that of their programs`, all / own, 1.05, {
    allKiB: all,
    programsKiB: own,
    processes: count,
  });
}

const claude = fetchHarness(claudeCodePackage);
const other = fetchHarness(gemini.package);
const rows: BenchRow[] = [await endRow()];
if ('skipped' in claude) rows.push(skippedRow('Claude Code', 1.1, claude.skipped));
else rows.push(...(await claudeRows(claude.program)), await memoryRow(claude.program));
if ('skipped' in other) rows.push(skippedRow('Gemini CLI', 1.1, other.skipped));
else rows.push(...(await geminiRows(other.program)));
report(rows);
await plain.close();
await messages.stop();
await google.stop();
process.exit(0);
