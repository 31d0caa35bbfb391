/**
 * The limits of one command, from agent.yml or from the POP_AGENT_BASH_* variables of other agents (spec
 * §5.1.9).
 */
import { isAbsolute } from 'node:path';

export interface BashLimits {
  /** Seconds, 1 to 60. */
  readonly timeoutS: number;
  readonly maxOutputChars: number;
  /** If false, every command that needs an approval is refused. */
  readonly approvals: boolean;
}

export interface BashSettings extends BashLimits {
  readonly allowedRoots: readonly string[];
  readonly writableRoots: readonly string[];
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

export const defaultBashLimits: BashLimits = { timeoutS: 15, maxOutputChars: 20_000, approvals: true };

/** Clamps a number to the range; returns the fallback if `value` is not a number. */
export function clampedNumber(value: unknown, fallback: number, least: number, most: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number)
    ? clamp(Math.trunc(number), least, most)
    : fallback;
}

const folders = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && isAbsolute(one));

/** Variables override the configuration; the roots of both are joined. */
export function bashSettings(
  configured: Partial<BashSettings>,
  env: Readonly<Record<string, string | undefined>>,
): BashSettings {
  const base = { ...defaultBashLimits, allowedRoots: [], writableRoots: [], ...configured };
  return {
    timeoutS: clampedNumber(env.POP_AGENT_BASH_TIMEOUT_S, base.timeoutS, 1, 60),
    maxOutputChars: clampedNumber(env.POP_AGENT_BASH_MAX_OUTPUT_CHARS, base.maxOutputChars, 256, 100_000),
    approvals:
      base.approvals && !/^(false|0|no|off)$/i.test(env.POP_AGENT_BASH_PROMPT_APPROVAL?.trim() ?? ''),
    allowedRoots: [...new Set([...base.allowedRoots, ...folders(env.POP_AGENT_BASH_ALLOWED_ROOTS)])],
    writableRoots: [...new Set([...base.writableRoots, ...folders(env.POP_AGENT_BASH_WRITABLE_ROOTS)])],
  };
}
