/**
 * Ports of executors, which run commands and scripts of agents: as plain programs, in an OS sandbox, a container, a
 * micro-VM or gVisor. All have the same sessions; what one of them cannot do is in its capabilities.
 */
import { z } from 'zod';
import { once } from '../../contract/once.ts';
import type { Result } from '../../contract/result.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { flagField, orDefault } from '../lib/config-fields.ts';

export const executorKinds = ['subprocess', 'sandbox', 'container', 'microvm', 'gvisor'] as const;
export type ExecutorKind = (typeof executorKinds)[number];

const domainPattern = /^(\*\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/i;
const domains = () =>
  orDefault(
    z
      .array(z.string().max(253).regex(domainPattern, 'must be a name such as example.com or *.example.com'))
      .max(200),
    [],
  );
const paths = (fallback: readonly string[] = []) =>
  orDefault(z.array(z.string().min(1).max(4_096), 'must be a list of paths').max(200), [...fallback]);
const whole = (least: number, most: number, fallback: number) =>
  orDefault(z.number(`must be a whole number from ${least} to ${most}`).int().min(least).max(most), fallback);

/**
 * Options of an executor, as in a configuration file. Paths are absolute, `~/…`, or below the workspace. The
 * workspace is always readable and writable.
 */
export const executorOptionFields = () => ({
  /** Domains that programs may reach over TLS; `*.example.com` for all below a domain. */
  allowed_domains: domains(),
  /** Wins over `allowed_domains` and over every answer to a question. */
  denied_domains: domains(),
  /** Programs may listen on ports of their own loopback. */
  allow_local_binding: flagField(false),
  /** Paths that appear empty. */
  deny_read: paths(),
  /** Paths that are readable beside the workspace and the system's programs. */
  allow_read: paths(),
  allow_write: paths(),
  /** Paths that stay readable but not writable; they cannot be created either. */
  deny_write: paths(['.env']),
  /** Image of a container or micro-VM. */
  image: orDefault(z.string().min(1).max(300), 'python'),
  /** MiB. */
  memory: whole(16, 1_048_576, 1_024),
  /** Seconds for a command that names no timeout. */
  timeout: whole(1, 86_400, 60),
  /** Most processes at the same time. */
  pids: whole(4, 32_768, 512),
});
export const executorOptionsSchema = once(() => z.object(executorOptionFields()));
export type ExecutorOptions = z.output<ReturnType<typeof executorOptionsSchema>>;

/** How far the programs of a session are kept from the computer. A limit that is `false` is not enforced. */
export interface ExecutorCapabilities {
  /** `rights`: none. `namespaces`: the kernel of the host; `kernel`: one of its own; `machine`: a virtual machine. */
  readonly isolation: 'rights' | 'namespaces' | 'kernel' | 'machine';
  /** Programs see only the paths of the options. */
  readonly files: boolean;
  /** Programs reach only `allowed_domains`. */
  readonly network: boolean;
  readonly memory: boolean;
  readonly pids: boolean;
  /** Programs are those of `image`. */
  readonly image: boolean;
}

/** Whether an executor works on this computer. */
export interface ExecutorCheck {
  readonly ok: boolean;
  /** The finding, or the reason why it does not work. */
  readonly message: HostMessage;
  /** The step for a person; `null` if it works. */
  readonly mend: HostMessage | null;
}

/** A domain or path that a program was kept from. */
export interface Violation {
  readonly kind: 'domain' | 'read' | 'write';
  /** Name of the host, or absolute path. */
  readonly target: string;
}

export interface SessionToOpen {
  /** Sessions of a conversation share their shell: its folder and its exported variables. */
  readonly conversationId: string;
  /** Absolute real path. It is kept when the session is closed. */
  readonly workspace: string;
  readonly options: ExecutorOptions;
  /** Absolute paths that are readable beside the options: libraries, and Unix sockets that programs may connect to. */
  readonly visible?: readonly string[];
  /** Appear empty, whatever the options say: data folders and keys. */
  readonly hidden?: readonly string[];
  /**
   * Asked while the program waits, for a domain that is neither allowed nor denied; refused if absent. Once allowed,
   * it stays so for the session.
   */
  readonly ask?: (violation: Violation, signal: AbortSignal) => Promise<boolean>;
  /** Absent: the session keeps no snapshots. */
  readonly snapshots?: SessionSnapshots;
}

export type SessionCommand =
  /** A command line for the shell of the session. Its folder and exported variables stay for the next one. */
  | { readonly command: string }
  /** A script, absolute or below the workspace; run by its ending: `.py`, `.js`, `.mjs`, `.cjs`, `.ts` or `.sh`. */
  | { readonly file: string; readonly args?: readonly string[] };

export interface CommandOptions {
  /** Seconds. */
  readonly timeout?: number;
  /** Beside the variables of the shell, for this command only. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Bytes kept of each stream, 1 MiB if absent; the rest is counted. */
  readonly maxOutputBytes?: number;
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Bytes that were written, kept or not. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly durationMs: number;
  /** Refusals to the command; each target once. */
  readonly violations: readonly Violation[];
}

export interface SessionSnapshot {
  readonly id: string;
  readonly label: string | null;
  /** ms since the epoch. */
  readonly at: number;
}

export interface SnapshotChange {
  /** Absolute. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** Snapshots of one workspace. `named` is a label, an id, or the unique beginning of an id. */
export interface SessionSnapshots {
  take(label: string | null): Promise<Result<SessionSnapshot>>;
  /** Newest first. */
  list(): Promise<Result<readonly SessionSnapshot[]>>;
  /** Changes since the snapshot, or between it and the later one `until`. */
  diff(named: string, until: string | null): Promise<Result<readonly SnapshotChange[]>>;
  /** The state before is a snapshot, too. */
  restore(named: string): Promise<Result<SessionSnapshot>>;
}

export interface ExecutorSession {
  readonly conversationId: string;
  readonly workspace: string;
  /** One at a time; a second one waits. A program that fails is an outcome, not an error. */
  run(command: SessionCommand, options?: CommandOptions): Promise<Result<CommandOutcome>>;
  snapshot(label?: string): Promise<Result<SessionSnapshot>>;
  restore(labelOrId: string): Promise<Result<SessionSnapshot>>;
  listSnapshots(): Promise<Result<readonly SessionSnapshot[]>>;
  diff(labelOrId: string, until?: string): Promise<Result<readonly SnapshotChange[]>>;
  /** Ends all processes of the session. The workspace and its snapshots stay. */
  close(): Promise<void>;
}

export interface Executor {
  readonly kind: ExecutorKind;
  readonly capabilities: ExecutorCapabilities;
  verify(): Promise<ExecutorCheck>;
  /** `unavailable` if `verify` fails: no other executor takes its place. */
  open(request: SessionToOpen): Promise<Result<ExecutorSession>>;
}
