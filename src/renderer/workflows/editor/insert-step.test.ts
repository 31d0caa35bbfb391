import { describe, expect, it } from 'vitest';
import { type InsertedKind, stepInsertion } from './insert-step.ts';

function withStep(text: string, line: string, kind: InsertedKind): string {
  const { at, insert, id } = stepInsertion(text, Math.max(0, text.indexOf(line)), kind);
  const after = text.slice(0, at) + insert + text.slice(at);
  expect(after.slice(...id)).toMatch(/^[\w-]+$/);
  return after;
}

const two = 'name: x\nsteps:\n  - id: one\n    run: echo a\n\n  - id: two\n    run: echo b\n';

describe('Insert step', () => {
  it('adds behind the step at the cursor, with an unused id', () => {
    const after = withStep(two, 'echo a', 'run');
    expect(after).toContain('run: echo a\n  - id: command\n    run: echo "Hello"\n\n  - id: two');
    expect(withStep(after, 'echo b', 'run')).toMatch(/echo b\n {2}- id: command-2\n/);
  });

  it('adds inside a parallel block', () => {
    const text = `${two}    parallel:\n      branches:\n        - id: a\n          run: x\n`;
    expect(withStep(text, 'run: x', 'sleep')).toMatch(/run: x\n {8}- id: pause\n {10}sleep: 10m\n$/);
  });

  it('adds a list to a file without one, and behind the last step from elsewhere', () => {
    expect(withStep('name: x', 'name', 'approval')).toBe(
      'name: x\nsteps:\n  - id: ask\n    approval:\n      prompt: "Continue?"\n',
    );
    expect(withStep(two, 'name', 'sleep')).toBe(`${two}  - id: pause\n    sleep: 10m\n`);
    expect(withStep(`${two}env: {A: b}\n`, 'name', 'sleep')).toMatch(/sleep: 10m\nenv:/);
  });
});
