/**
 * `shell`: a whole command line in an OS sandbox that shows only the agent's folders, without network unless
 * the operator allowed it. Without a sandbox it refuses, unless the operator allowed that for this agent;
 * then every line needs an approval. It never runs with another user's rights.
 */
import { isAbsolute } from 'node:path';
import type { Assessment } from '../../../core/policy/assessment.ts';
import { escalationIn } from '../../../core/policy/commands/escalation.ts';
import type { Clock } from '../../../core/ports.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import type {
  ProcessOutcome,
  ProcessPort,
  SandboxPort,
  SandboxView,
} from '../../../core/tools/process-ports.ts';
import type { Tool, ToolCallContext, ToolOutput } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { isExecutable } from '../../../platform/find-program.ts';
import { clampedNumber } from '../restricted-commands/bash-limits.ts';
import { cutStreams } from '../restricted-commands/output.ts';
import { searchTimeoutMs } from './find-links.ts';
import { createLinkedFilesCheck, type LinkedFilesCheck, linkedFilesRefusal } from './linked-files.ts';
import { withNotesReadOnly } from './notes-guard.ts';
import {
  type ShellPlan,
  type ShellRefusal,
  shellEffects,
  shellPreview,
  shellPrograms,
  shellRisk,
} from './shell-assessment.ts';

export interface ShellToolPorts {
  readonly files: ConfinedFiles;
  readonly process: ProcessPort;
  readonly clock: Clock;
  /** `null` if this system has no working sandbox. */
  readonly sandbox: SandboxPort | null;
  /** Folder of the agent's notes, or `null` if it has none. */
  readonly notes: string | null;
  /** `shell.unsandboxed` of agent.yml. */
  readonly unsandboxed: boolean;
  /** `shell.network` of agent.yml. */
  readonly network: boolean;
  /** `shell.linked_files` of agent.yml. */
  readonly linkedFiles: boolean;
  /** Seconds; `limits.command_s` of daemon.yml. */
  readonly timeoutS: number;
  readonly maxOutputChars: number;
}

const maxLineLength = 16_000;
const progressEveryMs = 250;
/** The longest timeout of a call, in seconds. */
const maxTimeoutS = 3_600;

const description = [
  'Runs a full shell command line (pipes, lists, redirections, loops) in a sandbox that shows your workspace and the',
  'folders you may use, usually without network. Prefer bash_exec for simple commands: it needs no approval to look.',
].join(' ');

const parameters = {
  type: 'object',
  properties: {
    cmd: { type: 'string', description: 'The command line.' },
    cwd: { type: 'string', description: 'Working folder; the workspace by default.' },
    timeout_s: { type: 'number', description: 'Seconds; at most what the operator allows.' },
    max_output_chars: { type: 'number', description: '256 to 100000, both streams together.' },
    justification: { type: 'string', description: 'Why you want this, in one sentence.' },
  },
  required: ['cmd'],
  additionalProperties: false,
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const shellProgram = (): string | null => shellPrograms.find(isExecutable) ?? null;

export function lineRefusal(line: string, sandboxed: boolean): ShellRefusal | null {
  if (line.trim() === '') return { reason: 'missing_cmd', message: 'There is no command.' };
  if (line.length > maxLineLength)
    return { reason: 'command_too_long', message: `A line has at most ${maxLineLength} characters.` };
  if (line.includes('\0')) return { reason: 'invalid_shell_syntax', message: 'It holds a NUL character.' };
  const escalation = escalationIn(line);
  if (escalation === 'escalation')
    return {
      reason: 'privilege_escalation',
      message: "It would take another user's rights; nothing was run.",
    };
  // In the sandbox no program can gain rights, whatever its name.
  return escalation === 'unclear' && !sandboxed
    ? {
        reason: 'not_understood',
        message: 'It is not clear which programs this starts, and there is no sandbox; write it plainly.',
      }
    : null;
}

function makePlan(ports: ShellToolPorts, args: Readonly<Record<string, unknown>>): ShellPlan | ShellRefusal {
  const line = text(args.cmd);
  const refusal = lineRefusal(line, ports.sandbox !== null);
  if (refusal) return refusal;
  if (!ports.sandbox && !ports.unsandboxed)
    return {
      reason: 'no_sandbox',
      message:
        'There is no sandbox on this system, so nothing was run. The operator can allow it with shell.unsandboxed.',
    };
  if (shellProgram() === null)
    return { reason: 'command_not_available_on_host', message: 'There is no shell on this system.' };
  const { files } = ports;
  const asked = text(args.cwd) || '.';
  const cwd = files.resolve(isAbsolute(asked) ? asked : `${files.roots.cwd}/${asked}`, 'read');
  if (!cwd.ok) {
    const reason = cwd.error.code === 'forbidden' ? 'cwd_outside_allowed_roots' : 'invalid_cwd';
    return { reason, message: cwd.error.message };
  }
  const sandbox = ports.sandbox ? ports.sandbox.kind : 'none';
  return { line, cwd: cwd.value, sandbox, network: ports.network || !ports.sandbox, roots: files.roots };
}

const notesInWay: ShellRefusal = {
  reason: 'notes_in_workspace',
  message:
    'Your notes lie in the very folder that the shell writes, or behind a link in it, so nothing was run. The operator can set memory_dir.',
};

export const isRefusal = (one: object): one is ShellRefusal => 'reason' in one;

export interface ReadyLine {
  readonly plan: ShellPlan;
  readonly view: SandboxView;
}

/** `checkLinks`: `null` if hard links are allowed or the system has no sandbox. */
export interface Shell {
  readonly ports: ShellToolPorts;
  readonly checkLinks: LinkedFilesCheck | null;
  /** Calls whose first assessment searched for hard links. */
  readonly searched: Set<string>;
}

/** Checks folders, sandbox and links for a line; `execute` repeats it. */
export async function prepare(
  { ports, checkLinks }: Shell,
  args: Readonly<Record<string, unknown>>,
  { signal, isSearched }: { readonly signal: AbortSignal; readonly isSearched: boolean },
): Promise<ReadyLine | ShellRefusal> {
  const plan = makePlan(ports, args);
  if (isRefusal(plan)) return plan;
  const { readable, writable } = plan.roots;
  const open = { readable, writable, network: plan.network };
  const view = ports.sandbox && ports.notes !== null ? withNotesReadOnly(open, ports.notes) : open;
  if (view === null) return notesInWay;
  const found = isSearched ? null : await checkLinks?.(view, signal);
  return found ? linkedFilesRefusal(found) : { plan, view };
}

const maxSearched = 64;

/**
 * Later assessments of a call skip the search for hard links that an earlier one made; `execute` repeats it,
 * so a link made meanwhile is found.
 */
async function assess(
  shell: Shell,
  args: Readonly<Record<string, unknown>>,
  { turnId, callId, signal, anew }: ToolCallContext,
): Promise<Assessment> {
  const { searched } = shell;
  const key = JSON.stringify([turnId, callId, args]);
  const ready = await prepare(shell, args, { signal, isSearched: searched.has(key) && !anew });
  const line = text(args.cmd);
  searched.delete(key);
  if (isRefusal(ready))
    return {
      risk: 'high',
      effects: [],
      preview: { kind: 'command', title: say('actions.runShellLine'), body: line, where: text(args.cwd) },
      blocked: { ...ready, message: `shell blocked: ${ready.reason}\n${ready.message}` },
    };
  if (searched.size >= maxSearched) searched.clear();
  searched.add(key);
  const { plan } = ready;
  const where = plan.sandbox === 'none' ? say('approvals.noSandbox', { folder: plan.cwd }) : plan.cwd;
  return {
    risk: shellRisk(plan),
    effects: shellEffects(plan),
    preview: { kind: 'command', title: say('actions.runShellLine'), body: shellPreview(line), where },
  };
}

/** Reports the latest output, throttled. */
export function teller(ports: ShellToolPorts, context: ToolCallContext): (bytes: Uint8Array) => void {
  let shown = '';
  let last = Number.NEGATIVE_INFINITY;
  return (bytes) => {
    shown = (shown + Buffer.from(bytes).toString()).slice(-4_000);
    const now = ports.clock.monotonic();
    if (now - last < progressEveryMs) return;
    last = now;
    context.progress({ content: [{ type: 'text', text: shown }] });
  };
}

function answer(plan: ShellPlan, outcome: ProcessOutcome, maxOutputChars: number): ToolOutput {
  const streams = {
    stdout: Buffer.from(outcome.stdout).toString(),
    stderr: Buffer.from(outcome.stderr).toString(),
  };
  const whole = {
    stdout: outcome.stdout.length >= outcome.stdoutBytes,
    stderr: outcome.stderr.length >= outcome.stderrBytes,
  };
  const limits = { maxOutputChars, stdoutMaxChars: null, stderrMaxChars: null };
  const { stdout, stderr } = cutStreams(streams, whole, limits);
  const isOk = outcome.exitCode === 0 && !outcome.timedOut;
  const truncated = stdout.truncated || stderr.truncated;
  const parts = [
    stdout.text,
    stderr.text === '' ? '' : `[stderr]\n${stderr.text}`,
    truncated ? `[cut: ${outcome.stdoutBytes + outcome.stderrBytes} bytes were written]` : '',
    outcome.timedOut ? '[it took too long and was ended, with all it had started]' : '',
    isOk || outcome.timedOut ? '' : `[exit code ${outcome.exitCode ?? outcome.signal ?? 'none'}]`,
  ].filter((part) => part !== '');
  return {
    content: [{ type: 'text', text: parts.join('\n') || '[no output]' }],
    isError: !isOk,
    details: {
      ok: isOk,
      blocked: false,
      command: plan.line,
      cwd: plan.cwd,
      sandbox: plan.sandbox,
      network: plan.network,
      exit_code: outcome.exitCode,
      timed_out: outcome.timedOut,
      duration_ms: outcome.durationMs,
      stdout: stdout.text,
      stderr: stderr.text,
      truncated,
    },
  };
}

const failed = (reason: string, message: string): ToolOutput => ({
  content: [{ type: 'text', text: `shell blocked: ${reason}\n${message}` }],
  isError: true,
  details: { ok: false, blocked: true, block_reason: reason },
});

async function execute(
  shell: Shell,
  args: Readonly<Record<string, unknown>>,
  context: ToolCallContext,
): Promise<ToolOutput> {
  const { ports } = shell;
  const ready = await prepare(shell, args, { signal: context.signal, isSearched: false });
  if (isRefusal(ready)) return failed(ready.reason, ready.message);
  const { plan, view } = ready;
  const maxOutputChars = clampedNumber(args.max_output_chars, ports.maxOutputChars, 256, 100_000);
  const request = {
    program: shellProgram() ?? shellPrograms[0],
    args: ['-c', plan.line],
    cwd: plan.cwd,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      TMPDIR: '/tmp',
      HOME: plan.sandbox === 'none' ? plan.roots.cwd : '/tmp',
    },
    timeoutMs: clampedNumber(args.timeout_s, ports.timeoutS, 1, Math.min(ports.timeoutS, maxTimeoutS)) * 1000,
    maxStdoutBytes: maxOutputChars * 4,
    maxStderrBytes: maxOutputChars * 4,
    onOutput: (_: 'stdout' | 'stderr', bytes: Uint8Array) => tell(bytes),
  };
  const tell = teller(ports, context);
  const outcome = ports.sandbox
    ? await ports.sandbox.run(request, view, context.signal)
    : await ports.process.run(request, context.signal);
  return outcome.ok
    ? answer(plan, outcome.value, maxOutputChars)
    : failed(outcome.error.code, outcome.error.message);
}

export function createShellTool(ports: ShellToolPorts): Tool {
  const { sandbox, clock } = ports;
  const checkLinks = sandbox && !ports.linkedFiles ? createLinkedFilesCheck({ sandbox, clock }) : null;
  const shell: Shell = { ports, checkLinks, searched: new Set() };
  return {
    name: 'shell',
    group: 'shell',
    core: false,
    description,
    parameters,
    replay: 'never',
    executionMode: 'sequential',
    timeoutMs: (Math.min(ports.timeoutS, maxTimeoutS) + 10) * 1000 + searchTimeoutMs,
    foreign: true,
    assess: (args, context) => assess(shell, args, context),
    execute: (args, context) => execute(shell, args, context),
  };
}
