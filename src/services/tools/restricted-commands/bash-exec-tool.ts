/**
 * `bash_exec`: one command of a short list, without a shell (spec §5). Reads run at once, changes need an
 * approval, and only the approved command runs: paths are resolved again right before the start and must mean
 * the same as before.
 */

import type { Assessment, Risk } from '../../../core/policy/assessment.ts';
import type { CommandRefusal } from '../../../core/policy/commands/refusal.ts';
import type { Clock } from '../../../core/ports.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import type { ProcessPort, SandboxPort } from '../../../core/tools/process-ports.ts';
import type { Tool, ToolCallContext, ToolOutput } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { type BashLimits, defaultBashLimits } from './bash-limits.ts';
import { type BashParams, bashParameters, readBashParams } from './bash-params.ts';
import { blockedDetails, blockedOutput, blockedText, type CommandEnd, endedOutput } from './bash-result.ts';
import { changeCommands } from './change-commands.ts';
import { folderCommands } from './folder-commands.ts';
import { findManyNames, listingOf, manyNamesRefusal, readsContent } from './hard-link-check.ts';
import { Output } from './output.ts';
import { type CommandPlan, makePlan } from './plan.ts';
import { findTrustedProgram, runProgram } from './run-program.ts';
import type { BashSimpleCommand } from './simple-context.ts';
import { textCommands } from './text-commands.ts';

export interface BashToolPorts {
  readonly files: ConfinedFiles;
  readonly process: ProcessPort;
  readonly clock: Clock;
  /** Wraps `find`, `rg` and `git`, if the system has a sandbox. */
  readonly sandbox?: SandboxPort | null;
  readonly limits?: Partial<BashLimits>;
}

/** Maximum number of calls whose approval may be open. */
const maxRemembered = 1_000;

/** Limit for the list of files that rg would read. */
const maxListBytes = 16 * 1024 * 1024;

const description = [
  'Runs one command without a shell: pwd ls cat head tail wc find rg echo df du, git (status diff log show branch),',
  'and after approval mkdir touch cp mv rm. No pipes, lists, redirections, variables or globs: quote patterns for find',
  'and rg. Paths must be in the allowed folders. Input is empty and only the final output is returned.',
].join(' ');

const simple: Readonly<Record<string, BashSimpleCommand>> = {
  ...textCommands,
  ...folderCommands,
  ...changeCommands,
};

const titles = { low: 'actions.lookWith', medium: 'actions.changeWith', high: 'actions.removeWith' } as const;

/** The parts of a plan that must not change between the approval and the start. */
const meaning = (plan: CommandPlan): string =>
  JSON.stringify([plan.argv, plan.cwd, plan.effects, plan.repository]);

/** Models restart their call ids in every turn. */
const callKey = (params: BashParams, { turnId, callId }: ToolCallContext): string =>
  JSON.stringify([turnId, callId, params.cmd, params.cwd]);

function blockedAssessment(params: BashParams, refusal: CommandRefusal, risk: Risk): Assessment {
  return {
    risk,
    effects: [],
    preview: { kind: 'command', title: say('actions.runCommand'), body: params.cmd, where: params.cwd },
    blocked: {
      reason: refusal.reason,
      message: blockedText(refusal),
      details: blockedDetails(params, refusal, risk),
    },
  };
}

const changed: CommandRefusal = {
  reason: 'changed_since_approval',
  message: 'The paths mean something else now than when this was asked. Nothing was run; ask again.',
};

class BashExec {
  readonly #ports: BashToolPorts;
  readonly #limits: BashLimits;
  /** The plan shown to the operator, by call key. */
  readonly #asked = new Map<string, string>();

  constructor(ports: BashToolPorts) {
    this.#ports = ports;
    this.#limits = { ...defaultBashLimits, ...ports.limits };
  }

  async assess(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<Assessment> {
    const params = readBashParams(args, this.#limits);
    const plan = await makePlan(this.#ports.files, params.cmd, params.cwd);
    if (!plan.ok) return blockedAssessment(params, plan.error, 'low');
    const { command, argv, cwd, effects } = plan.value;
    const unavailable = this.#unavailable(plan.value);
    if (unavailable) return blockedAssessment(params, unavailable, command.risk);
    if (command.risk !== 'low' && !this.#limits.approvals) {
      const message = 'Nobody may be asked for this here, so nothing was run.';
      return blockedAssessment(params, { reason: 'approval_required_or_denied', message }, command.risk);
    }
    this.#remember(callKey(params, context), meaning(plan.value), context.anew);
    return {
      risk: command.risk,
      effects,
      preview: {
        kind: 'command',
        title: say(titles[command.risk], {
          program: [argv[0], command.subcommand].filter(Boolean).join(' '),
        }),
        body: params.cmd,
        where: cwd,
      },
    };
  }

  async execute(args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolOutput> {
    const params = readBashParams(args, this.#limits);
    const key = callKey(params, context);
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    const plan = await makePlan(this.#ports.files, params.cmd, params.cwd);
    if (!plan.ok) return blockedOutput(params, plan.error);
    if (asked !== undefined && asked !== meaning(plan.value)) return blockedOutput(params, changed);
    const { command, argv, cwd } = plan.value;
    const run = { argv, cwd, risk: command.risk };
    const inProcess = Object.hasOwn(simple, command.name) ? simple[command.name] : undefined;
    if (inProcess)
      return endedOutput(params, run, await this.#runSimple(inProcess, plan.value, params, context));
    const end = await this.#runProgram(plan.value, params, context.signal);
    return 'reason' in end ? blockedOutput(params, end) : endedOutput(params, run, end);
  }

  #remember(key: string, what: string, anew?: true): void {
    // The first assessment is the one that was shown; later ones are checks, unless the call needs a new
    // approval.
    if (this.#asked.has(key) && !anew) return;
    if (this.#asked.size >= maxRemembered) this.#asked.delete(this.#asked.keys().next().value ?? '');
    this.#asked.set(key, what);
  }

  #unavailable({ command }: CommandPlan): CommandRefusal | null {
    if (Object.hasOwn(simple, command.name)) return null;
    if (findTrustedProgram(command.name, this.#ports.files.roots.writable) !== null) return null;
    return { reason: 'command_not_available_on_host', message: `${command.name} is not installed here.` };
  }

  async #runSimple(
    command: BashSimpleCommand,
    plan: CommandPlan,
    params: BashParams,
    context: ToolCallContext,
  ): Promise<CommandEnd> {
    const { clock, files } = this.#ports;
    const late = new AbortController();
    const timer = clock.after(params.timeoutMs, () => late.abort());
    const begun = clock.monotonic();
    const out = new Output(params.stdoutMaxChars ?? params.maxOutputChars);
    const errors = new Output(params.stderrMaxChars ?? params.maxOutputChars);
    const signal = AbortSignal.any([context.signal, late.signal]);
    const exitCode = await command({ files, command: plan.command, cwd: plan.cwd, out, errors, signal });
    timer.cancel();
    return {
      exitCode: signal.aborted ? null : exitCode,
      timedOut: late.signal.aborted,
      durationMs: Math.round(clock.monotonic() - begun),
      stdout: out.text(),
      stderr: errors.text(),
      stdoutBytes: out.total,
      stderrBytes: errors.total,
    };
  }

  async #runProgram(
    plan: CommandPlan,
    params: BashParams,
    signal: AbortSignal,
  ): Promise<CommandEnd | CommandRefusal> {
    const { files, process, sandbox = null } = this.#ports;
    const program = findTrustedProgram(plan.command.name, files.roots.writable);
    const unavailable: CommandRefusal = {
      reason: 'command_not_available_on_host',
      message: `${plan.command.name} could not be started here.`,
    };
    if (program === null) return unavailable;
    const limits = { timeoutMs: params.timeoutMs, maxBytes: params.maxOutputChars * 4 };
    const refused = readsContent(plan.command) ? await this.#manyNames(plan, program, params, signal) : null;
    if (refused) return refused;
    const ended = await runProgram({ files, process, sandbox }, plan, program, limits, signal);
    if (!ended.ok && ended.error.code !== 'cancelled') return unavailable;
    if (!ended.ok) {
      const none = { stdout: '', stderr: ended.error.message, stdoutBytes: 0, stderrBytes: 0 };
      return { ...none, exitCode: null, timedOut: false, durationMs: 0 };
    }
    const { stdout, stderr, ...rest } = ended.value;
    return { ...rest, stdout: Buffer.from(stdout).toString(), stderr: Buffer.from(stderr).toString() };
  }

  /** Finds files with several hard links; `null` if the program would read none. */
  async #manyNames(
    plan: CommandPlan,
    program: string,
    { timeoutMs }: BashParams,
    signal: AbortSignal,
  ): Promise<CommandEnd | CommandRefusal | null> {
    const { files, process, sandbox = null } = this.#ports;
    const limits = { timeoutMs, maxBytes: maxListBytes };
    const listed = await runProgram({ files, process, sandbox }, listingOf(plan), program, limits, signal);
    // Cancelled or not started: the command itself will report it.
    if (!listed.ok) return null;
    const { stdout, stdoutBytes, timedOut } = listed.value;
    if (timedOut) return { ...listed.value, stdout: '', stderr: '' };
    if (stdoutBytes > stdout.length)
      return {
        reason: 'path_not_usable',
        message: 'There are too many files to look at; name smaller folders.',
      };
    const found = await findManyNames(plan.repository ?? plan.cwd, stdout);
    return found.length === 0 ? null : manyNamesRefusal(plan.command, found);
  }
}

export function createBashExecTool(ports: BashToolPorts): Tool {
  const bash = new BashExec(ports);
  return {
    name: 'bash_exec',
    group: 'core',
    core: true,
    description,
    parameters: bashParameters,
    replay: 'never',
    executionMode: 'sequential',
    timeoutMs: 70_000,
    // File contents are untrusted.
    foreign: true,
    assess: (args, context) => bash.assess(args, context),
    execute: (args, context) => bash.execute(args, context),
  };
}
