/** The parameters of a call: numbers out of range are clamped, not refused (spec §5.1.1). */
import { type BashLimits, clamp, clampedNumber } from './bash-limits.ts';

export interface BashParams {
  readonly cmd: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly maxOutputChars: number;
  readonly stdoutMaxChars: number | null;
  readonly stderrMaxChars: number | null;
  readonly detailed: boolean;
  readonly justification: string;
}

const number = (description: string) => ({ type: ['number', 'string'], description });

export const bashParameters = {
  type: 'object',
  properties: {
    cmd: {
      type: 'string',
      description: 'One command with its arguments, at most 2000 characters. No shell.',
    },
    cwd: { type: 'string', description: 'Working folder; the workspace by default.' },
    timeout_s: number('Seconds, 1 to 60.'),
    max_output_chars: number('256 to 100000, both streams together.'),
    stdout_max_chars: number('A limit of its own for the output.'),
    stderr_max_chars: number('A limit of its own for the error output.'),
    result_detail: { type: 'string', enum: ['summary', 'detailed'] },
    justification: { type: 'string', description: 'Why you want this, in one sentence.' },
  },
  required: ['cmd'],
  additionalProperties: false,
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function readBashParams(args: Readonly<Record<string, unknown>>, limits: BashLimits): BashParams {
  const maxOutputChars = clampedNumber(args.max_output_chars, limits.maxOutputChars, 256, 100_000);
  const own = (value: unknown): number | null =>
    value === undefined || value === null ? null : clampedNumber(value, maxOutputChars, 0, maxOutputChars);
  return {
    cmd: text(args.cmd),
    cwd: text(args.cwd) || '.',
    timeoutMs: clampedNumber(args.timeout_s, clamp(limits.timeoutS, 1, 60), 1, 60) * 1000,
    maxOutputChars,
    stdoutMaxChars: own(args.stdout_max_chars),
    stderrMaxChars: own(args.stderr_max_chars),
    detailed: args.result_detail === 'detailed',
    justification: text(args.justification),
  };
}
