/**
 * Starts the programs of agents (harnesses) as long-lived processes. Each is in the ledger before its program
 * runs, is guarded against the death of the host, and leaves no process of its tree behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { atMost } from '../../core/lib/at-most.ts';
import type { Clock, Random } from '../../core/ports.ts';
import {
  type HarnessCommand,
  type HarnessExit,
  type HarnessLedger,
  type HarnessProcess,
  type HarnessProcessPort,
  maxLineBytes,
} from '../../core/runtimes/harness-ports.ts';
import { isExecutable } from '../../platform/find-program.ts';
import { createProcessGuard, type ProcessGuard } from '../../platform/process-guard.ts';
import { markerName } from '../../platform/process-marker.ts';
import { signalProcess } from '../../platform/process-signals.ts';
import { collectTree, endRemaining, endTree, markOf, type TreeQuery } from '../../platform/process-tree.ts';
import { endHolders, tailOf } from '../../platform/program-output.ts';
import type { HarnessContainers } from './harness-container.ts';
import { splitLines } from './harness-lines.ts';
import { findHarnessWalls, type HarnessWalls } from './harness-wall.ts';
import { createProcessPort, startError } from './process.ts';
import { createStartQueue } from './start-queue.ts';

/** Waits for a line before the program starts; end of input without one means that the host died. */
const gate = 'read -r KENNEL_GO || exit 125; unset KENNEL_GO; exec "$0" "$@"';
/** ms that a process has to end after its input was closed, and again after SIGTERM. */
const graceMs = 500;
/** ms during which remaining children may still write after the program itself ended. */
const drainMs = 200;
/** A process that cannot end, for example in a broken file system, is waited for about a second. */
const goneMs = 20;
const goneRounds = 50;

export interface HarnessProcessDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly ledger: HarnessLedger;
  /** Folders that no sandboxed process sees, whatever its wall shows. */
  readonly hidden: readonly string[];
  /** Absent: no process runs in a container. */
  readonly containers?: Pick<HarnessContainers, 'prepare'>;
}

export interface HarnessProcesses extends HarnessProcessPort {
  /** Ends the process with this id in the ledger; false if none runs. */
  end(id: string): Promise<boolean>;
  /** Kills the process, so that its turn goes on in a new one; false if none runs. */
  restart(id: string): Promise<boolean>;
  /** Of the newest process of the agent; `null` if none was started. */
  outputOf(agentId: string): HarnessOutput | null;
  /** Ends all processes. */
  close(): Promise<void>;
}

export interface HarnessOutput {
  /** File name of the program. */
  readonly program: string;
  /** The last 16 KiB of standard error. */
  readonly text: string;
  /** ms since the epoch; `null` while the process runs. */
  readonly endedAt: number | null;
}

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
}

function spawnBlocked(
  command: Pick<HarnessCommand, 'argv' | 'env' | 'cwd'>,
  marker: string,
): Promise<Result<Started>> {
  return new Promise((resolve) => {
    const failed = (error: unknown): void => resolve(err(startError(error, command.argv[0])));
    try {
      const child = spawn('/bin/sh', ['-c', gate, ...command.argv], {
        cwd: command.cwd,
        env: { ...command.env, [markerName]: marker },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      });
      child.once('error', failed);
      child.once('spawn', () => resolve(ok({ child, pid: child.pid ?? 0 })));
    } catch (error) {
      failed(error);
    }
  });
}

export function createHarnessProcesses({
  clock,
  random,
  ledger,
  hidden,
  containers,
}: HarnessProcessDeps): HarnessProcesses {
  let found: Promise<HarnessWalls | null> | null = null;
  const walls = (): Promise<HarnessWalls | null> => {
    found ??= findHarnessWalls(createProcessPort({ clock }), hidden);
    return found;
  };
  const mayStart = createStartQueue({ clock, availableBytes: () => process.availableMemory() });
  const self = random.uuid();
  const guard = createProcessGuard(self);
  const running = new Map<string, HarnessProcess>();
  const outputs = new Map<string, () => HarnessOutput>();
  let count = 0;
  let isClosed = false;
  const closed = (): Result<never> => err(fail('cancelled', 'turns.turnStopped'));

  const start = async (command: HarnessCommand): Promise<Result<HarnessProcess>> => {
    if (process.platform === 'win32') return err(fail('unsupported', 'harness.notOnWindows'));
    await mayStart();
    if (isClosed) return closed();
    const [program] = command.argv;
    count += 1;
    const number = count;
    const marker = `harness:${self}:${number}:`;
    const walled = await behindWall(command, { walls, containers, marker });
    if (!walled.ok) return walled;
    const { stop } = walled.value;
    if (isClosed) {
      await stop();
      return closed();
    }
    const spawned = await spawnBlocked(walled.value, marker);
    if (!spawned.ok) {
      await stop();
      return spawned;
    }
    const { child, pid } = spawned.value;
    const id = random.uuid();
    const { agentId } = command;
    const { started } = markOf(pid);
    const added = ledger.add({
      id,
      agentId,
      program: basename(program),
      pid,
      started,
      marker,
      hasWall: command.wall !== null,
      container: walled.value.name ?? null,
      at: clock.now(),
    });
    if (!added.ok) {
      endTree({ leader: pid, marker });
      await stop();
      return added;
    }
    guard.watch(pid, number);
    const query = { leader: pid, marker };
    const output = (): HarnessOutput => ({
      program: basename(program),
      text: harness.stderrTail(),
      endedAt: null,
    });
    const harness = follow({ clock, guard, child, query, number, stop }, () => {
      running.delete(id);
      ledger.settle(id);
      const last = { ...output(), endedAt: clock.now() };
      if (outputs.get(agentId) === output) outputs.set(agentId, () => last);
    });
    running.set(id, harness);
    outputs.set(agentId, output);
    harness.write('');
    // The first program of a container waits for a line, too.
    if (walled.value.name !== undefined) harness.write('');
    return ok(harness);
  };
  return {
    start,
    async commandLine(command) {
      if (process.platform === 'win32') return err(fail('unsupported', 'harness.notOnWindows'));
      if (command.wall?.container) return err(fail('unsupported', 'harness.noTerminalInContainer'));
      const walled = await behindWall(command, { walls, containers, marker: '' });
      if (!walled.ok) return walled;
      const { argv, env, cwd } = walled.value;
      return ok({ argv, env, cwd });
    },
    hasWalls: async () => (await walls()) !== null,
    async end(id) {
      const harness = running.get(id);
      await harness?.end();
      return harness !== undefined;
    },
    async restart(id) {
      const harness = running.get(id);
      harness?.signal('SIGKILL');
      await harness?.exited;
      return harness !== undefined;
    },
    outputOf: (agentId) => outputs.get(agentId)?.() ?? null,
    async close() {
      isClosed = true;
      await Promise.all([...running.values()].map((harness) => harness.end()));
      guard.close();
    },
  };
}

interface Bordered extends Pick<HarnessCommand, 'argv' | 'env' | 'cwd'> {
  /** Of the container. */
  readonly name?: string;
  /** Ends the processes that are left behind the wall. */
  stop(): Promise<void>;
}

interface Borders {
  readonly walls: () => Promise<HarnessWalls | null>;
  readonly containers: Pick<HarnessContainers, 'prepare'> | undefined;
  readonly marker: string;
}

const nothingLeft = async (): Promise<void> => undefined;

async function behindWall(
  command: HarnessCommand,
  { walls, containers, marker }: Borders,
): Promise<Result<Bordered>> {
  const { argv, env, wall } = command;
  if (wall?.container) {
    if (!containers) return err(fail('unavailable', 'container.noEngine'));
    const prepared = await containers.prepare(command, { ...wall, container: wall.container }, marker);
    return prepared.ok ? ok({ ...prepared.value, cwd: '/' }) : prepared;
  }
  if (!isExecutable(argv[0]))
    return err(fail('not_found', 'tools.programOrFolderMissing', {}, { where: argv[0] }));
  if (wall === null) return ok({ ...command, stop: nothingLeft });
  const found = await walls();
  if (found === null) return err(fail('unavailable', 'harness.noWall'));
  const walled = found.argvOf(command, wall);
  return walled.ok ? ok({ argv: walled.value, env, cwd: '/', stop: nothingLeft }) : walled;
}

interface Followed {
  readonly clock: Clock;
  readonly guard: ProcessGuard;
  readonly child: ChildProcess;
  readonly query: TreeQuery & { readonly leader: number };
  readonly number: number;
  readonly stop: () => Promise<void>;
}

function follow({ clock, guard, child, query, number, stop }: Followed, onEnded: () => void): HarnessProcess {
  const { leader: pid, marker } = query;
  const { stdin, stdout } = child;
  let ending: Promise<void> | null = null;
  // Some processes do not read their input.
  stdin?.on('error', () => undefined);
  const left = new Promise<HarnessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, wasEnded: ending !== null }));
  });
  endHolders(stdout, left, () => endTree({ leader: null, marker }), drainMs);
  const exited = left.then(async (exit) => {
    endRemaining({ leader: pid, marker });
    await untilGone(clock, query);
    await stop();
    guard.forget(pid, number);
    onEnded();
    return exit;
  });
  const end = async (): Promise<void> => {
    // Collected now, because a child that cleared its environment is found only through its parent.
    const tree = collectTree(query);
    stdin?.end();
    if (!(await atMost(clock, graceMs, left))) {
      signalProcess(-pid, 'SIGTERM');
      await atMost(clock, graceMs, left);
    }
    endTree({ ...query, also: tree });
    await exited;
    child.stderr?.destroy();
  };
  return {
    pid,
    lines: splitLines(outputOf(stdout), maxLineBytes),
    write: (line) => void stdin?.write(`${line}\n`),
    closeInput: () => void stdin?.end(),
    stderrTail: tailOf(child.stderr),
    exited,
    signal: (name) => signalProcess(-pid, name),
    end() {
      ending ??= end();
      return ending;
    },
  };
}

/** Killed processes end with a short delay. */
async function untilGone(clock: Clock, query: TreeQuery): Promise<void> {
  for (let round = 0; round < goneRounds && collectTree(query).length > 0; round += 1)
    await new Promise<void>((resolve) => clock.after(goneMs, resolve));
}

async function* outputOf(stdout: Readable | null): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of (stdout ?? []) as AsyncIterable<Buffer>) yield chunk;
  } catch {
    // Destroyed, because no reachable process writes any more.
  }
}
