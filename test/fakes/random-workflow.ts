/** Randomly generated workflows, and the gates before each of their steps. */
import type { Step } from '../../src/core/workflows/file/definition.ts';
import { childrenOf } from '../../src/core/workflows/file/step-kinds.ts';

/**
 * Gates that must be open before a step may have effects, by path: those before it in its list, and before
 * each enclosing list.
 */
export function guardsOf(
  steps: readonly Step[],
  around: readonly Step[] = [],
): ReadonlyMap<string, readonly Step[]> {
  const guards = new Map<string, readonly Step[]>();
  const before = [...around];
  for (const step of steps) {
    guards.set(step.path, [...before]);
    for (const { branch, steps: inner } of childrenOf(step)) {
      const lists = branch === 'parallel' ? inner.map((one) => [one]) : [inner];
      for (const list of lists) for (const [path, held] of guardsOf(list, before)) guards.set(path, held);
    }
    if (step.approval) before.push(step);
  }
  return guards;
}

const idsIn = (step: Step): readonly string[] => [
  step.id,
  ...childrenOf(step).flatMap(({ steps }) => steps.flatMap(idsIn)),
];

/**
 * Ids of the steps that ended before a step starts, by its path: those before it in its list, and before each
 * enclosing list.
 */
export function overBefore(
  steps: readonly Step[],
  around: readonly string[] = [],
): ReadonlyMap<string, readonly string[]> {
  const over = new Map<string, readonly string[]>();
  const before = [...around];
  for (const step of steps) {
    over.set(step.path, [...before]);
    for (const { branch, steps: inner } of childrenOf(step)) {
      const lists = branch === 'parallel' ? inner.map((one) => [one]) : [inner];
      for (const list of lists) for (const [path, ids] of overBefore(list, before)) over.set(path, ids);
    }
    before.push(...idsIn(step));
  }
  return over;
}

/** Commands for random steps, each as YAML on one line. */
export interface StepWords {
  say(name: string): string;
  slow(ms: number, name: string): string;
  /** Fails on the first attempt. */
  flaky(name: string): string;
  readonly fail: string;
  /** A pipeline without effects. */
  harmless(name: string): string;
  sleep(n: number): string;
}

/** Commands for the engine rig, whose shell knows only a few scripted commands. */
export const rigWords: StepWords = {
  say: (name) => `say ${name}`,
  slow: (ms, name) => `slow ${ms} ${name}`,
  flaky: (name) => `flaky 2 ${name}`,
  fail: 'fail',
  harmless: (name) => `exec say ${name}`,
  sleep: (n) => `${n}s`,
};

/** Generates workflows of any shape whose steps leave traces. */
export function randomWorkflow(fraction: () => number, words: StepWords): string {
  let made = 0;
  const pick = (count: number): number => Math.floor(fraction() * count);
  const id = (): string => {
    made += 1;
    return `s${made}`;
  };
  const effect = (): string => ['', ', effect: idempotent', ', effect: once'][pick(3)] ?? '';
  const leaf = (): string => {
    const name = id();
    const gate = pick(3) === 0 ? ', approval: go' : '';
    const texts = [words.say(name), words.slow(1 + pick(40), name), words.flaky(name)];
    const kind = pick(6);
    if (kind === 0) return `{id: ${name}, approval: go}`;
    if (kind === 1) return `{id: ${name}, sleep: ${words.sleep(1 + pick(3))}}`;
    if (kind === 2) return `{id: ${name}, run: ${words.fail}, on_error: continue}`;
    if (kind === 3) return `{id: ${name}, pipeline: ${words.harmless(name)}, effect: pure}`;
    const again = ', retry: {max: 9, delay_ms: 3}';
    return `{id: ${name}, run: ${texts[pick(3)]}${again}${effect()}${gate}}`;
  };
  const list = (depth: number): string =>
    `[${Array.from({ length: 1 + pick(3) }, () => step(depth)).join(', ')}]`;
  const step = (depth: number): string => {
    const kind = depth >= 2 ? 0 : pick(6);
    if (kind === 1) {
      return `{id: ${id()}, parallel: {branches: [${leaf()}, ${leaf()}]}}`;
    }
    if (kind === 2 && depth === 0) {
      return `{id: ${id()}, for_each: '\${items}', pause_ms: ${1 + pick(9)}, steps: [${leaf()}, ${leaf()}]}`;
    }
    if (kind === 3) {
      const branch = `{steps: ${list(depth + 1)}, then: continue}`;
      return `{id: ${id()}, approval: {prompt: go, on_reject: ${branch}}}`;
    }
    return leaf();
  };
  return `args: {items: {default: [1, 2]}}\nsteps: ${list(0).replace(/\]$/, `, ${step(0)}, ${step(0)}, ${leaf()}]`)}`;
}
