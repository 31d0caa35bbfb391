/** The cli-local runtime over a program that speaks the protocol of Claude Code, started as a real process. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppError } from '../../src/contract/errors.ts';
import { ok, type Result } from '../../src/contract/result.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../../src/core/approvals/approval-gate.ts';
import type { SpendGate } from '../../src/core/models/spend-gate.ts';
import { createClaudeProtocol } from '../../src/core/runtimes/claude/claude-protocol.ts';
import type { HarnessProcessPort, RelayTurn } from '../../src/core/runtimes/harness-ports.ts';
import type {
  ProgramAgentPort,
  ProgramDeps,
  ProgramSetup,
} from '../../src/core/runtimes/program/program-ports.ts';
import { createProgramRuntime } from '../../src/core/runtimes/program/program-runtime.ts';
import type { ProgramUndoDeps } from '../../src/core/runtimes/program/program-undo.ts';
import type { TerminalHold } from '../../src/core/runtimes/program/terminal-hold.ts';
import type { RuntimeEvent, RuntimePort, TurnAbort } from '../../src/core/supervisor/runtime-port.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import type { HarnessContainers } from '../../src/services/executors/harness-container.ts';
import { createHarnessProcesses } from '../../src/services/executors/harness-process.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import { createEditFileTool } from '../../src/services/tools/files/edit-file.ts';
import { createReadFileTool } from '../../src/services/tools/files/read-file.ts';
import { createSearchFilesTool } from '../../src/services/tools/files/search-files.ts';
import { createWriteFileTool } from '../../src/services/tools/files/write-file.ts';
import { createHarnessShell } from '../../src/services/tools/shell/harness-shell.ts';
import { topmostMissing } from '../../src/services/tools/snapshots/scan.ts';
import { createFreeSpend } from './free-spend.ts';
import { createMemoryTranscriptStore } from './memory-transcript-store.ts';
import { createMemoryReadLog, ownAudience } from './own-audience.ts';
import { createRecordingLog } from './recording-log.ts';
import { fromOperator, operator, thread } from './runtime-rig.ts';
import { createUndoRig } from './undo-rig.ts';

const program = join(import.meta.dirname, 'fake-claude.ts');

export interface ClaudeRigOptions {
  readonly tools?: readonly Tool[];
  readonly decide?: ApprovalGate['check'];
  /** Texts of messages that arrive during the first turn. */
  readonly arrivals?: readonly string[];
  readonly mode?: string;
  readonly trusted?: boolean;
  readonly setup?: Partial<ProgramSetup>;
  /** By which a terminal takes the sessions. */
  readonly hold?: TerminalHold;
  /** A person used its sessions in a terminal. */
  readonly lent?: boolean;
  /** Starts another program, with `--session-id` or `--resume` as last arguments. */
  readonly command?: {
    readonly argv: readonly [string, ...string[]];
    readonly env: Readonly<Record<string, string>>;
  };
  /** In place of an agent whose program has neither a wall nor a relay. */
  readonly agent?: (parts: ClaudeRigParts) => ProgramAgentPort;
  readonly spend?: SpendGate;
  /** In place of Claude Code's protocol. */
  readonly runtime?: (deps: ProgramDeps) => RuntimePort;
  /** The relay's reason for each request that the program reports as refused with 403. */
  readonly refusal?: AppError;
  /** ms of the pause that the relay reports with each 429. */
  readonly pauseMs?: number;
  /** For an agent in a container. */
  readonly containers?: Pick<HarnessContainers, 'prepare'>;
  /** An error of the restore points. */
  readonly points?: () => Result<never>;
}

/** Paths and processes for the agent port of a test. */
export interface ClaudeRigParts {
  /** The folder of the agent; its workspace is `workspace` in it. */
  readonly home: string;
  readonly processes: HarnessProcessPort;
  readonly points: ProgramUndoDeps['points'];
}

export type ClaudeRig = ReturnType<typeof claudeRig>;

export function claudeRig(options: ClaudeRigOptions = {}) {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-claude-')));
  const [workspace, config] = [join(home, 'workspace'), join(home, 'config')];
  for (const folder of [workspace, config]) mkdirSync(folder);
  const roots = { cwd: workspace, readable: [workspace], writable: [workspace] };
  const files = createConfinedFiles(roots);
  const ledger = { add: () => ok(undefined), settle: () => undefined };
  const { containers } = options;
  const processes = createHarnessProcesses({
    clock,
    random,
    ledger,
    hidden: [home],
    ...(containers && { containers }),
  });
  const transcripts = createMemoryTranscriptStore();
  const undo = createUndoRig({ base: home });
  const points = async () => options.points?.() ?? ok(undo.points);
  const checked: GateCall[] = [];
  const allow: GateDecision = { type: 'allow', by: 'policy', receiptId: null };
  const arrivals = [...(options.arrivals ?? [])];
  let [starts, isTrusted, firstSeq, turnNo] = [0, options.trusted === true, 1, 1];
  let stop = new AbortController();
  const argv = options.command?.argv ?? ([process.execPath, program] as const);
  const environment = { PATH: process.env.PATH ?? '', HOME: home, CLAUDE_CONFIG_DIR: config, TMPDIR: home };
  async function* watched(lines: AsyncIterable<string>, payer: () => RelayTurn | null) {
    for await (const line of lines) {
      const { refusal, pauseMs } = options;
      if (refusal && line.includes('"error_status":403')) payer()?.onRefused(refusal);
      if (pauseMs !== undefined && line.includes('"error_status":429')) {
        paused = clock.now() + pauseMs;
        payer()?.onPaused(pauseMs);
      }
      yield line;
    }
  }
  let paused = 0;
  const pausedTo: number[] = [];
  const setup: ProgramSetup = {
    key: 'k',
    title: 'Claude Code',
    program: '/usr/bin/claude',
    version: '2.1.330',
    command: [],
    sandbox: 'none',
    cwd: workspace,
    provider: 'anthropic',
    model: '',
    offers: () => true,
    shell: createHarnessShell({ files, sandbox: 'none', network: true }),
    undo: { roots, anchor: topmostMissing, points },
    pausedUntil: () => (paused > clock.now() ? paused : null),
    pauseLogin(untilMs) {
      pausedTo.push(untilMs);
      paused = clock.now() + 50;
    },
    async launch({ sessionId, isNew, turn: payer }) {
      starts += 1;

      const mode = ['--permission-mode', options.mode ?? 'default'];
      const started = await processes.start({
        agentId: 'a',
        argv: [...argv, ...mode, isNew ? '--session-id' : '--resume', sessionId] as [string, ...string[]],
        env: { ...environment, ...options.command?.env },
        cwd: workspace,
        wall: null,
      });
      if (!started.ok) return started;
      const lines = watched(started.value.lines, payer);
      const program = { ...started.value, lines };
      return ok({ process: program, isMetered: false, end: () => started.value.end() });
    },
    ...options.setup,
  };
  const deps: ProgramDeps = {
    agentId: 'a',
    clock,
    random,
    log: createRecordingLog(),
    agent: options.agent?.({ home, processes, points }) ?? {
      ...(options.hold && { hold: options.hold }),
      ...(options.lent && { wasLent: () => true }),
      setup: async () => ok(setup),
      isTrusted: () => isTrusted,
      trust() {
        isTrusted = true;
        return ok(undefined);
      },
    },
    turns: {
      transcripts,
      digest: () => 'd',
      settings: () => ({ thinking: 'off', turnMs: 60_000 }),
      readers: {
        isOperator: (slug) => slug === operator,
        audience: ownAudience,
        reads: createMemoryReadLog(),
      },
      spend: options.spend ?? createFreeSpend(),
      kit: async () => ({
        tools: [
          createReadFileTool(files),
          createWriteFileTool(files),
          createEditFileTool(files),
          createSearchFilesTool(files),
          ...(options.tools ?? []),
        ],
        gate: {
          check(call, signal, ready) {
            checked.push(call);
            return options.decide?.(call, signal, ready) ?? Promise.resolve(allow);
          },
        },
        waitingFor: () => null,
        sentHere: () => null,
        foreignNotes: () => false,
      }),
    },
  };
  const open =
    options.runtime ??
    ((given: ProgramDeps) => createProgramRuntime(given, createClaudeProtocol('claude-code')));
  let runtime: RuntimePort = open(deps);
  const say = (text: string): void => transcripts.append(thread, [fromOperator(text)]);
  const turn = () => ({
    turnId: `turn_${turnNo}`,
    agentId: 'a',
    threadKey: thread,
    firstSeq,
    system: 'S',
    tainted: false,
    answersIn: null,
    arrivals: {
      async take() {
        const text = arrivals.shift();
        if (text === undefined) return null;
        say(text);
        return { message: fromOperator(text), tainted: false };
      },
    },
    place: { lend: <T>(work: Promise<T>) => work },
  });
  return {
    home,
    undo,
    workspace,
    config,
    thread,
    transcripts,
    checked,
    allow,
    say,
    started: () => starts,
    /** Ends of the limits that the program reported, in ms since the epoch. */
    pausedTo,
    files: () => readdirSync(workspace),
    /** Notes of all sessions of the program. */
    session: () =>
      readdirSync(config)
        .filter((name) => name.endsWith('.txt'))
        .map((name) => readFileSync(join(config, name), 'utf8'))
        .join(''),
    loseSessions() {
      for (const name of readdirSync(config)) rmSync(join(config, name), { recursive: true });
    },
    async run(watch?: (event: RuntimeEvent) => void): Promise<readonly RuntimeEvent[]> {
      const events: RuntimeEvent[] = [];
      for await (const event of runtime.run(turn(), stop.signal)) {
        events.push(event);
        watch?.(event);
      }
      const last = events.at(-1);
      if (last?.type === 'turn_done' || last?.type === 'turn_failed')
        transcripts.append(thread, last.transcript);
      return events;
    },
    nextTurn(text: string) {
      stop = new AbortController();
      transcripts.endAll(thread);
      firstSeq = (transcripts.load(thread).at(-1)?.seq ?? 0) + 1;
      turnNo += 1;
      say(text);
    },
    /** The same turn once more, after it was left. */
    again() {
      stop = new AbortController();
    },
    /** The host starts anew, and its programs are gone. */
    restart() {
      void runtime.close?.();
      runtime = open(deps);
    },
    abort: (why: TurnAbort) => stop.abort(why),
    async end() {
      await runtime.close?.();
      await processes.close();
      undo.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
