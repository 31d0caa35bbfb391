import { describe, expect, test } from 'vitest';
import { englishText } from '../../../language/host-message.ts';
import { definitionFrom, readWorkflow } from './read-workflow.ts';

const rules = (text: string) =>
  readWorkflow(text).findings.map(({ severity, rule, line }) => `${severity} ${rule} ${line}`);
const messages = (text: string) =>
  readWorkflow(text)
    .findings.map(({ message, hint }) => `${englishText(message)} ${englishText(hint ?? '')}`)
    .join('\n');
const read = (text: string) => {
  const result = definitionFrom(readWorkflow(text));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

describe('Workflow file', () => {
  test('parses all step kinds, paths and defaults', () => {
    const definition = read(`
name: everything
args: {tag: {default: family}, n: {type: integer, default: 3}}
env: {A: wf}
steps:
  - {id: list, run: "echo '[1]'", effect: idempotent, retry: {max: 3, delay_ms: 10, backoff: exponential}}
  - {id: pick, pipeline: head --n 1, stdin: $list.json}
  - id: loop
    for_each: $list.json
    steps:
      - {id: send, command: "echo \${tag} $item $item.name $index"}
  - id: both
    parallel:
      wait: all
      branches: [{id: left, run: echo 1}, {id: right, run: echo 2}]
  - id: ask
    llm-task: {prompt: "Say $list.json", schema: {type: object}, fallback: [{id: rule, run: echo}]}
  - {id: work, agent: {goal: "Do \${tag}"}}
  - {id: sub, workflow: child.puppy, workflow_args: {who: $list.json, deep: ["\${n}"]}}
  - {id: nap, sleep: 10m}
  - id: q
    input: {prompt: "Comment?", responseSchema: {type: object}}
  - id: gate
    approval:
      prompt: Deploy $q.response.c?
      approvers: [alice, bob]
      needed: 2
      require_different_approver: true
      expires: 7d
      remind: 1d
      on_reject: [{id: undo, run: echo undo}]
      on_timeout: continue
  - {id: done, run: echo done, when: "$gate.approved && $left.json == 1"}
`);
    expect(definition.steps.map(({ kind }) => kind)).toEqual([
      'run',
      'pipeline',
      'for_each',
      'parallel',
      'llm-task',
      'agent',
      'workflow',
      'sleep',
      'input',
      'approval',
      'run',
    ]);
    const [list, , loop, both, ask, , sub, nap, , gate] = definition.steps;
    expect(list?.retry).toEqual({
      attempts: 3,
      backoff: 'exponential',
      delayMs: 10,
      maxDelayMs: 30000,
      jitter: false,
    });
    expect(loop?.kind === 'for_each' && loop.steps[0]?.path).toBe('loop[].send');
    expect(both?.kind === 'parallel' && both.branches[1]?.path).toBe('both.right');
    expect(ask?.kind === 'llm-task' && ask.fallback[0]?.path).toBe('ask.fallback.rule');
    expect(sub?.kind === 'workflow' && sub.args).toMatchObject({
      who: { kind: 'ref' },
      deep: { kind: 'list', items: [{ kind: 'arg', name: 'n' }] },
    });
    expect(nap?.kind === 'sleep' && nap.until).toEqual({ kind: 'for', ms: 600_000 });
    expect(gate?.approval).toMatchObject({
      expiresMs: 7 * 86_400_000,
      remindMs: 86_400_000,
      approvers: { named: ['alice', 'bob'], needed: 2, notInitiator: true },
      onReject: { steps: [{ path: 'gate.on_reject.undo' }] },
    });
    expect([gate?.approval?.onReject.then, gate?.approval?.onTimeout.then]).toEqual(['cancel', 'continue']);
  });

  test('waits 30 days for an approval by default, and a timeout fails the run', () => {
    const [gate] = read('steps: [{id: g, approval: ok?}]').steps;
    expect(gate?.approval?.expiresMs).toBe(30 * 86_400_000);
    expect(gate?.approval?.onTimeout.then).toBe('fail');
  });

  test('parses JSON too', () => {
    expect(read('{"steps":[\n\t{"id":"a","run":"echo hi"}]}').steps[0]).toMatchObject({
      kind: 'run',
      id: 'a',
    });
  });

  test.each([
    [
      'an unknown field with its line and the name that was meant',
      'steps:\n  - id: gate\n    run: echo\n    aproval: required\n',
      'unknown-field 4',
      /aproval.*approval/,
    ],
    [
      'a field unknown deep inside',
      'steps:\n  - id: g\n    approval:\n      prompt: x\n      requierd_approver: a\n',
      'unknown-field 5',
      /required_approver/,
    ],
    [
      'a duplicate id',
      'steps:\n  - {id: a, run: echo}\n  - {id: a, run: echo}\n',
      'duplicate-id 3',
      /duplicate workflow step id: a/i,
    ],
    [
      'two kinds of work',
      'steps:\n  - {id: a, run: echo, pipeline: head}\n',
      'two-kinds 2',
      /only define one of run, pipeline/,
    ],
    ['a step that does nothing', 'steps:\n  - {id: a}\n', 'no-kind 2', /does nothing/],
    ['an approval without text', 'steps:\n  - {id: a, approval: ""}\n', 'empty-approval 2', /without a text/],
    [
      'an approval that is false',
      'steps:\n  - {id: a, run: echo, approval: false}\n',
      'no-approval 2',
      /asks nothing/,
    ],
    [
      'a condition with a typing error',
      'steps:\n  - {id: a, run: echo}\n  - id: b\n    run: echo\n    when: $a.json >\n',
      'wrong-condition 5',
      /column 10/,
    ],
    [
      'a reminder after the end',
      'steps:\n  - {id: g, approval: {prompt: x, expires: 1d, remind: 2d}}\n',
      'reminder-too-late 2',
      /over/,
    ],
    [
      'more approvals than people',
      'steps:\n  - {id: g, approval: {prompt: x, approvers: [a], needed: 2}}\n',
      'too-few-approvers 2',
      /could never be approved/,
    ],
    [
      'a field on a kind that has no use for it',
      'steps:\n  - {id: g, approval: x, batch_size: 2}\n',
      'misplaced-field 2',
      /batch_size/,
    ],
    [
      'what is no YAML',
      'name: x\nsteps: a: b\n',
      'not-yaml 2',
      /^This is not YAML: This line has a second colon/,
    ],
    ['aliases (T25)', 'a: &a [x]\nsteps: [{id: a, run: echo, items: *a}]\n', 'not-yaml 1', /alias/i],
    [
      'numbers that cannot be kept',
      'args: {n: {default: 12345678901234567890}}\nsteps: [{id: a, run: echo}]\n',
      'wrong-value 1',
      /too large/,
    ],
    ['a name that is no data', 'steps: [{id: __proto__, run: echo}]\n', 'wrong-id 1', /id/],
    [
      'a default of another type',
      'args:\n  n:\n    type: integer\n    default: x\nsteps: [{id: a, run: echo}]\n',
      'wrong-default 4',
      /does not fit/,
    ],
    [
      'two arguments with one variable',
      'args:\n  a-b: {default: 1}\n  a_b: {default: 1}\nsteps: [{id: a, run: echo}]\n',
      'same-variable 3',
      /one variable/,
    ],
    ['no steps', 'name: x\n', 'wrong-field 1', /steps/],
    ['an empty file', '', 'wrong-field 1', /steps/],
  ])('refuses %s', (_, text, finding, message) => {
    expect(rules(text)[0]).toBe(`error ${finding}`);
    expect(messages(text)).toMatch(message);
    expect(definitionFrom(readWorkflow(text)).ok).toBe(false);
  });

  test('limits findings and message lengths for very many keys (T25)', () => {
    const lines = (count: number, line: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => line(index)).join('\n');
    const steps = '\nsteps: [{id: a, run: echo}]\n';
    const wrong = readWorkflow(`args:\n${lines(20_000, (index) => `  a${index}: 5`)}${steps}`);
    expect(wrong.findings.length).toBe(100);
    expect(wrong.definition).toBeNull();
    const [unknown] = readWorkflow(lines(40_000, (index) => `k${index}: 1`) + steps).findings;
    expect(englishText(unknown?.message ?? '').length).toBeLessThan(1_100);
    expect(messages(`name: a\nenv:\n  A: x\n  B: y\n  A: z${steps}`)).toMatch(/same name .* twice/);
    expect(rules(`name: a\nenv:\n  A: x\n  B: y\n  A: z${steps}`)[0]).toBe('error not-yaml 5');
  });

  test('refuses deep nesting and overlong text with an error (T25)', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '{id: x, run: echo}'
        : `{id: s${depth}, approval: {prompt: x, on_reject: [${nested(depth - 1)}]}}`;
    expect(messages(`steps: [${nested(9)}]`)).toMatch(/nested/);
    expect(messages(`steps: ${'['.repeat(100)}`)).toMatch(/too deep/);
    expect(messages(`name: ${'x'.repeat(600_000)}`)).toMatch(/characters/);
  });
});
