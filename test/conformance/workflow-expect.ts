/** Compares the result of an action with the expectation of its case. */
import { isDeepStrictEqual } from 'node:util';
import type { Expectation, Seen } from './workflow-case.ts';

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** The parts of an envelope that cases refer to. */
export function partsOf({ envelope, threw }: Pick<Seen, 'envelope' | 'threw'>) {
  const whole = envelope ?? {};
  const [asks, input, error] = [
    fields(whole.requiresApproval),
    fields(whole.requiresInput),
    fields(whole.error),
  ];
  const token = asks.resumeToken ?? input.resumeToken;
  return {
    ok: whole.ok,
    status: whole.status,
    output: whole.output,
    prompt: asks.prompt ?? input.prompt,
    preview: asks.preview,
    items: asks.items,
    errorType: error.type,
    error: String(error.message ?? threw ?? ''),
    token: typeof token === 'string' ? token : null,
    approvalId: typeof asks.approvalId === 'string' ? asks.approvalId : null,
  };
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

type Matcher = (expected: never, seen: Seen, parts: ReturnType<typeof partsOf>) => boolean;
const same =
  (part: 'ok' | 'status' | 'output' | 'prompt' | 'preview' | 'items' | 'errorType'): Matcher =>
  (expected, _seen, parts) =>
    isDeepStrictEqual(parts[part], expected);

const matchers: { readonly [K in keyof Required<Expectation>]: Matcher } = {
  ok: same('ok'),
  status: same('status'),
  output: same('output'),
  prompt: same('prompt'),
  preview: same('preview'),
  items: same('items'),
  errorType: same('errorType'),
  outputContains: (text: string, _seen, { output }) => (JSON.stringify(output ?? null) ?? '').includes(text),
  errorMatches: (text: string, _seen, { error }) => new RegExp(text, 'i').test(error),
  exit: (code: number, { exit }) => exit === code,
  hasToken: (has: boolean, _seen, { token }) => (token !== null) === has,
  hasApprovalId: (has: boolean, _seen, { approvalId }) => (approvalId !== null) === has,
  stdoutIsOneJson: (one: boolean, { oneJson }) => oneJson === one,
  stdout: (text: string, { stdout }) => stdout === text,
  stdoutContains: (text: string, { stdout }) => stdout.includes(text),
  stderrContains: (text: string, { stderr }) => stderr.includes(text),
  maxMs: (most: number, { ms }) => ms <= most,
  okCount: (count: number, { okCount }) => okCount === count,
};

const told = (name: string, seen: Seen): unknown => {
  const parts = partsOf(seen);
  if (name in parts) return parts[name as keyof typeof parts];
  if (name === 'errorMatches') return parts.error;
  if (name === 'outputContains') return parts.output;
  return {
    exit: seen.exit,
    ms: seen.ms,
    stdout: seen.stdout.slice(0, 100),
    stderr: seen.stderr.slice(0, 100),
  };
};

/** Differences from the expectation, one line each. */
export function differences(expected: Expectation, seen: Seen): readonly string[] {
  const parts = partsOf(seen);
  return Object.entries(expected).flatMap(([name, value]) => {
    const holds = matchers[name as keyof Expectation];
    return holds(value as never, seen, parts)
      ? []
      : [`${name}: expected ${shown(value)}, got ${shown(told(name, seen))}`];
  });
}
