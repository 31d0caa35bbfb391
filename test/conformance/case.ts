/** Structure of a conformance suite: a function per section of the file that returns a result per case. */
import { isDeepStrictEqual } from 'node:util';
import type { Result } from '../../src/contract/result.ts';

export interface CaseResult {
  readonly name: string;
  /** `null` if the product did what the case says; otherwise the difference. */
  readonly why: string | null;
}

/** `file` is the whole file, for sections that use others (keys, certificates). */
export type Section = (value: unknown, file: Readonly<Record<string, unknown>>) => readonly CaseResult[];
/** A section that opens a listener or a store. */
export type SlowSection = (
  value: unknown,
  file: Readonly<Record<string, unknown>>,
) => Promise<readonly CaseResult[]>;
export type Suite = Readonly<Record<string, Section>>;
/** A suite with slow cases, which reads the whole file itself. */
export type FileSuite = (file: Readonly<Record<string, unknown>>) => Promise<readonly CaseResult[]>;

/** Runs one case; it passes unless `run` throws. */
export function testCase(name: string, run: () => void): CaseResult {
  try {
    run();
    return { name, why: null };
  } catch (error) {
    return { name, why: error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error) };
  }
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`${what}: got ${shown(actual)}, expected ${shown(expected)}`);
  }
}

export function expectTrue(held: boolean, what: string): void {
  if (!held) throw new Error(what);
}

/** The value of a `Result`; otherwise a failed case that names its error. */
export function must<T>(result: Result<T>, what: string): T {
  if (!result.ok) throw new Error(`${what}: refused (${result.error.where ?? ''}) ${result.error.message}`);
  return result.value;
}

export function expectRefused(result: { readonly ok: boolean }, what: string): void {
  if (result.ok) throw new Error(`${what} was accepted`);
}
