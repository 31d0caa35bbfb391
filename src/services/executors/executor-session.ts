/**
 * A session of any executor: one command at a time, the shell of the one before, questions about domains while a
 * command waits, and the end of everything that a timeout or an abort left.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type {
  CommandOptions,
  CommandOutcome,
  ExecutorSession,
  SessionCommand,
  SessionSnapshots,
  SessionToOpen,
  Violation,
} from '../../core/executors/executor-ports.ts';
import { createSemaphore } from '../../core/lib/semaphore.ts';
import { isInside } from '../../core/policy/paths.ts';
import type { ProcessPort, ProcessRequest } from '../../core/tools/process-ports.ts';
import { realPathOrNull } from '../../platform/real-path.ts';
import { createEgressServer, type GatewayNetwork } from './egress.ts';
import { listenInFolder, type OpenSocket } from './listen-in-folder.ts';
import { interpreterOf, sessionScript } from './session-script.ts';

const defaultOutputBytes = 1024 * 1024;
const socketFile = 'web.sock';
/** Loopback port of the proxy inside. */
export const egressPort = 63_380;

/** Folders and files of one session; the paths are the same inside. */
export interface SessionFiles {
  /** Readable inside. */
  readonly folder: string;
  /** Writable inside. */
  readonly state: string;
  /** An empty file, which is mounted over those that must not be seen or made. */
  readonly empty: string;
  readonly script: string;
  /** Socket of the proxy; `null` if no domain can be reached. */
  readonly socket: string | null;
}

/** How an executor runs a command line inside. */
export interface Inside {
  /** The program outside that runs `argv` inside. */
  outer(argv: readonly string[], hasInput: boolean): Pick<ProcessRequest, 'program' | 'args' | 'cwd' | 'env'>;
  /** Variables of every command. */
  readonly env: Readonly<Record<string, string>>;
  /** Memory and processes are limited by the shell, because the executor cannot. */
  readonly limitsInShell: boolean;
  /** Paths of a refusal in the output; absent if the executor hides no paths. */
  readonly refusedPaths?: (stderr: string) => readonly Violation[];
  /** Around each command. */
  before?(): void;
  after?(): void;
  /** Ends a command whose program outside was ended. */
  reset?(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionParts {
  readonly process: ProcessPort;
  /** A new folder, which its owner alone can read; removed at the end. */
  readonly folder: string;
  readonly network?: GatewayNetwork;
  readonly request: SessionToOpen;
  start(files: SessionFiles): Promise<Result<Inside>>;
}

const proxyVariables = {
  HTTPS_PROXY: `http://127.0.0.1:${egressPort}`,
  https_proxy: `http://127.0.0.1:${egressPort}`,
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
  // Node.js uses the variables above only if it is told to.
  NODE_USE_ENV_PROXY: '1',
};

const sameViolation = (a: Violation, b: Violation): boolean => a.kind === b.kind && a.target === b.target;

class Session implements ExecutorSession {
  readonly conversationId: string;
  readonly workspace: string;
  readonly #parts: SessionParts;
  readonly #files: SessionFiles;
  readonly #inTurn = createSemaphore(1);
  readonly #ended = new AbortController();
  /** Domains that a person allowed in this session. */
  readonly #allowed = new Set<string>();
  readonly #asked = new Map<string, Promise<boolean>>();
  #inside: Inside | null = null;
  #socket: OpenSocket | null = null;
  #refused: Violation[] = [];

  constructor(parts: SessionParts) {
    const { request, folder } = parts;
    this.#parts = parts;
    this.conversationId = request.conversationId;
    this.workspace = request.workspace;
    const shown = join(folder, 'in');
    const reaches = request.ask !== undefined || request.options.allowed_domains.length > 0;
    this.#files = {
      folder: shown,
      state: join(folder, 'state'),
      empty: join(shown, 'empty'),
      script: join(shown, 'command.sh'),
      socket: reaches ? join(shown, socketFile) : null,
    };
  }

  async open(): Promise<Result<void>> {
    const { folder, state, empty, socket } = this.#files;
    try {
      for (const one of [folder, state]) mkdirSync(one, { recursive: true, mode: 0o700 });
      writeFileSync(empty, '', { mode: 0o444 });
    } catch (error) {
      return err(fail('io_error', 'executors.filesNotWritten', { why: errorText(error) }));
    }
    if (socket !== null) {
      const { request, network } = this.#parts;
      const server = createEgressServer(
        {
          allowed: request.options.allowed_domains,
          denied: request.options.denied_domains,
          ask: (host) => this.#ask(host),
          onRefused: (host) => this.#refuse({ kind: 'domain', target: host }),
        },
        network,
      );
      const listening = await listenInFolder(server, folder, socketFile);
      if (!listening.ok) return listening;
      this.#socket = listening.value;
    }
    const started = await this.#parts.start(this.#files);
    if (!started.ok) return started;
    this.#inside = started.value;
    return ok(undefined);
  }

  run(command: SessionCommand, options: CommandOptions = {}): Promise<Result<CommandOutcome>> {
    return this.#inTurn(() => this.#run(command, options));
  }

  async #run(command: SessionCommand, options: CommandOptions): Promise<Result<CommandOutcome>> {
    const inside = this.#inside;
    if (inside === null || this.#ended.signal.aborted)
      return err(fail('conflict', 'executors.sessionClosed'));
    const written = this.#write(inside, command, options.env ?? {});
    if (!written.ok) return written;
    this.#refused = [];
    const signals = [this.#ended.signal, ...(options.signal ? [options.signal] : [])];
    const input = options.stdin;
    inside.before?.();
    try {
      const most = options.maxOutputBytes ?? defaultOutputBytes;
      const outcome = await this.#parts.process.run(
        {
          ...inside.outer(['sh', this.#files.script], input !== undefined),
          timeoutMs: (options.timeout ?? this.#parts.request.options.timeout) * 1_000,
          maxStdoutBytes: most,
          maxStderrBytes: most,
          // A question may take longer than the command has time.
          isHeld: () => this.#asked.size > 0,
          ...(input !== undefined && { stdin: typeof input === 'string' ? Buffer.from(input) : input }),
          ...(options.onOutput && { onOutput: options.onOutput }),
        },
        AbortSignal.any(signals),
      );
      if (!outcome.ok || outcome.value.timedOut) await inside.reset?.();
      if (!outcome.ok) return outcome;
      const stderr = Buffer.from(outcome.value.stderr).toString();
      for (const violation of inside.refusedPaths?.(stderr) ?? []) this.#refuse(violation);
      return ok({ ...outcome.value, violations: this.#refused });
    } finally {
      inside.after?.();
    }
  }

  #write(inside: Inside, command: SessionCommand, given: Readonly<Record<string, string>>): Result<void> {
    const wrong = Object.keys(given).find((name) => !/^[A-Za-z_]\w*$/.test(name));
    if (wrong !== undefined) return err(fail('invalid_input', 'executors.invalidVariable', { name: wrong }));
    const runnable = 'file' in command ? this.#script(command.file) : ok('');
    if (!runnable.ok) return runnable;
    const { socket, script, state } = this.#files;
    const { options } = this.#parts.request;
    const text = sessionScript({
      command: 'file' in command ? { ...command, file: runnable.value } : command,
      workspace: this.workspace,
      stateFolder: state,
      env: { ...inside.env, ...(socket === null ? {} : proxyVariables), ...given },
      limits: inside.limitsInShell ? options : null,
    });
    try {
      writeFileSync(script, text, { mode: 0o600 });
      return ok(undefined);
    } catch (error) {
      return err(fail('io_error', 'executors.filesNotWritten', { why: errorText(error) }));
    }
  }

  #script(file: string): Result<string> {
    if (interpreterOf(file) === null) return err(fail('invalid_input', 'executors.unknownScript', { file }));
    const real = realPathOrNull(isAbsolute(file) ? file : resolve(this.workspace, file));
    const shown = [this.workspace, ...(this.#parts.request.visible ?? [])];
    return real !== null && shown.some((root) => isInside(root, real))
      ? ok(real)
      : err(fail('not_found', 'executors.notInWorkspace', { file }));
  }

  #refuse(violation: Violation): void {
    if (!this.#refused.some((known) => sameViolation(known, violation))) this.#refused.push(violation);
  }

  /** One question per domain at a time. A person who allowed it is not asked again in this session. */
  #ask(host: string): Promise<boolean> {
    const { ask } = this.#parts.request;
    if (ask === undefined) return Promise.resolve(false);
    if (this.#allowed.has(host)) return Promise.resolve(true);
    const open = this.#asked.get(host);
    if (open) return open;
    const asked = ask({ kind: 'domain', target: host }, this.#ended.signal)
      .catch(() => false)
      .then((isAllowed) => {
        if (isAllowed) this.#allowed.add(host);
        return isAllowed;
      })
      .finally(() => this.#asked.delete(host));
    this.#asked.set(host, asked);
    return asked;
  }

  #snapshots<T>(use: (snapshots: SessionSnapshots) => Promise<Result<T>>): Promise<Result<T>> {
    const { snapshots } = this.#parts.request;
    // No command runs while files are read or put back.
    return this.#inTurn(async () =>
      snapshots ? use(snapshots) : err(fail('unsupported', 'executors.noSnapshots')),
    );
  }

  readonly snapshot = (label?: string) => this.#snapshots((kept) => kept.take(label ?? null));
  readonly restore = (named: string) => this.#snapshots((kept) => kept.restore(named));
  readonly listSnapshots = () => this.#snapshots((kept) => kept.list());
  readonly diff = (named: string, until?: string) =>
    this.#snapshots((kept) => kept.diff(named, until ?? null));

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#inTurn(async () => {
      const inside = this.#inside;
      this.#inside = null;
      await inside?.close();
      await this.#socket?.close();
      this.#socket = null;
      rmSync(this.#parts.folder, { recursive: true, force: true });
    });
  }
}

export async function openSession(parts: SessionParts): Promise<Result<ExecutorSession>> {
  const session = new Session(parts);
  const opened = await session.open();
  if (opened.ok) return ok(session);
  await session.close();
  return opened;
}
