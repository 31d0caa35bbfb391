import { expect, it } from 'vitest';
import { stepResults } from '../../../contract/workflow-fields.ts';
import { suggestionsAt } from './completions.ts';

const known = { agents: ['guide'], files: ['deploy.puppy'] };
const head = 'args:\n  who: {default: x}\nsteps:\n  - id: draft\n    run: x\n  - id: next\n';

function labels(marked: string): readonly string[] {
  const text = `${head}${marked.replace('^', '')}`;
  return (
    suggestionsAt(text, head.length + marked.indexOf('^'), known)?.options.map(({ label }) => label) ?? []
  );
}

it('Fields of the object at the cursor are suggested', () => {
  expect(labels('    ^')).toEqual(expect.arrayContaining(['run', 'llm_task', 'on_error']));
  expect(labels('    approval:\n      ^')).toEqual(expect.arrayContaining(['prompt', 'required_approver']));
  expect(labels('    retry: {^')).toEqual(['max', 'backoff', 'delay_ms', 'max_delay_ms', 'jitter']);
});

it('Values, agents, files and pipeline commands are suggested where they belong', () => {
  expect(labels('    effect: ^')).toEqual(['pure', 'idempotent', 'once']);
  expect(labels('    approval: {on_reject: ^')).toEqual(['cancel', 'continue', 'fail']);
  expect(labels('    agent: {name: g^')).toEqual(['guide']);
  expect(labels('    workflow: ^')).toEqual(['deploy.puppy']);
  expect(labels('    pipeline: head --n 3 | so^')).toContain('sort');
  expect(labels('    run: ec^')).toEqual([]);
});

it('References name earlier steps, their results and arguments', () => {
  expect(labels('    stdin: $^')).toEqual(['$draft', '$next', `\${who}`]);
  expect(labels('    stdin: $draft.^')).toEqual(stepResults);
  expect(labels(`    run: echo "\${w^`)).toEqual(['who']);
  expect(labels('    run: echo \\$^')).toEqual([]);
});
