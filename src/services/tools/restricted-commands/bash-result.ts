/** The result of a `bash_exec` call: a text for the model and the details object of spec §5.1.10. */

import type { Risk } from '../../../core/policy/assessment.ts';
import type { CommandRefusal } from '../../../core/policy/commands/refusal.ts';
import type { ToolOutput } from '../../../core/tools/tool.ts';
import type { BashParams } from './bash-params.ts';
import { cutStreams } from './output.ts';

export interface BashDetails {
  readonly ok: boolean;
  readonly blocked: boolean;
  readonly block_reason: string | null;
  readonly approved: boolean;
  readonly risk: Risk | null;
  readonly command: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  readonly duration_ms: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly max_output_chars: number;
  /** Bytes written by the command. */
  readonly stdout_raw_size: number;
  readonly stderr_raw_size: number;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  readonly justification: string;
}

const output = (text: string, details: BashDetails): ToolOutput => ({
  content: [{ type: 'text', text }],
  details,
  isError: !details.ok,
});

const nothing = {
  exit_code: null,
  timed_out: false,
  duration_ms: 0,
  stdout: '',
  stderr: '',
  truncated: false,
  stdout_raw_size: 0,
  stderr_raw_size: 0,
  stdout_truncated: false,
  stderr_truncated: false,
};

export const blockedText = (refusal: CommandRefusal): string =>
  `bash_exec blocked: ${refusal.reason}\n${refusal.message}`;

export function blockedDetails(
  params: BashParams,
  refusal: CommandRefusal,
  risk: Risk | null = null,
): BashDetails {
  return {
    ...nothing,
    ok: false,
    blocked: true,
    block_reason: refusal.reason,
    approved: false,
    risk,
    command: params.cmd,
    argv: [],
    cwd: params.cwd,
    max_output_chars: params.maxOutputChars,
    justification: params.justification,
  };
}

export const blockedOutput = (params: BashParams, refusal: CommandRefusal): ToolOutput =>
  output(blockedText(refusal), blockedDetails(params, refusal));

export interface CommandEnd {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

export interface CommandRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly risk: Risk;
}

const lengthOf = (text: string): number => Buffer.byteLength(text);

function textOf(details: BashDetails): string {
  const parts = [
    details.stdout,
    details.stderr === '' ? '' : `[stderr]\n${details.stderr}`,
    details.truncated
      ? `[cut: ${details.stdout_raw_size + details.stderr_raw_size} bytes were written; narrow the command]`
      : '',
    details.timed_out ? '[the command took too long and was ended]' : '',
    details.exit_code === 0 || details.timed_out ? '' : `[exit code ${details.exit_code ?? 'none'}]`,
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join('\n') : '[no output]';
}

export function endedOutput(params: BashParams, run: CommandRun, end: CommandEnd): ToolOutput {
  const whole = {
    stdout: lengthOf(end.stdout) >= end.stdoutBytes,
    stderr: lengthOf(end.stderr) >= end.stderrBytes,
  };
  const { stdout, stderr } = cutStreams(end, whole, params);
  const details: BashDetails = {
    ok: end.exitCode === 0 && !end.timedOut,
    blocked: false,
    block_reason: null,
    approved: run.risk !== 'low',
    risk: run.risk,
    command: params.cmd,
    argv: run.argv,
    cwd: run.cwd,
    exit_code: end.exitCode,
    timed_out: end.timedOut,
    duration_ms: end.durationMs,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.truncated || stderr.truncated,
    max_output_chars: params.maxOutputChars,
    stdout_raw_size: end.stdoutBytes,
    stderr_raw_size: end.stderrBytes,
    stdout_truncated: stdout.truncated,
    stderr_truncated: stderr.truncated,
    justification: params.justification,
  };
  const text = textOf(details);
  return output(
    params.detailed ? `${text}\n[${details.duration_ms} ms in ${details.cwd}: ${run.argv.join(' ')}]` : text,
    details,
  );
}
