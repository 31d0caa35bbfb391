// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are templates of a workflow file
import { describe, expect, test } from 'vitest';
import { englishText } from '../../../language/host-message.ts';
import { checkCalls } from './calls.ts';
import { findingError } from './finding.ts';
import { definitionFrom, readWorkflow, readWorkflowObject } from './read-workflow.ts';

const found = (...steps: string[]) =>
  readWorkflow(`args: {who: {default: x}}\nsteps:\n${steps.map((step) => `  - ${step}`).join('\n')}\n`)
    .findings;
const told = (...steps: string[]) =>
  found(...steps).map(
    ({ severity, rule, line, message, hint }) =>
      `${severity} ${rule} ${line}: ${englishText(message)} ${englishText(hint ?? '')}`,
  );

const list = '{id: list, run: echo, effect: pure}';

describe('Workflow check', () => {
  test('reports nothing for consistent steps', () => {
    expect(
      told(
        list,
        '{id: loop, for_each: $list.json, steps: [{id: send, run: "echo $item.name $index ${who} ${HOME} $5.00"}, {id: after, run: "echo $send.stdout"}]}',
        '{id: both, parallel: {branches: [{id: left, run: echo}, {id: right, run: echo}]}}',
        '{id: gate, approval: {prompt: "Ship $left.json, $both.json, $loop.json?", on_reject: continue}}',
        '{id: no, run: echo, when: "$gate.approved == false"}',
        '{id: shown, run: echo, effect: pure, approval: {prompt: "Take $shown.stdout?", on_reject: [{id: undo, run: "echo $shown.json"}]}}',
      ),
    ).toEqual([]);
  });

  test.each([
    [
      'a schema of an answer that points at itself (T25)',
      ['{id: a, llm_task: {prompt: x, schema: {oneOf: [{$ref: "#"}, {type: object}]}}}'],
      /^error wrong-schema 3: .*schema must be a JSON schema.*points at itself without an end/,
    ],
    [
      'an unknown step',
      [list, '{id: b, run: echo, when: $lst.json}'],
      /^error unknown-step 4: .*\$lst\.json.*Did you mean \$list/,
    ],
    [
      'an unknown step on standard input',
      [list, '{id: b, run: cat, stdin: $nope.json}'],
      /^error unknown-step 4/,
    ],
    ['a later step', ['{id: a, run: "echo $b.stdout"}', '{id: b, run: echo}'], /^error forward-reference 3/],
    ['itself', ['{id: a, run: "echo $a.stdout"}'], /^error forward-reference/],
    [
      'two steps that name each other',
      ['{id: a, run: "echo $b.json"}', '{id: b, run: "echo $a.json"}'],
      /^error forward-reference 3/,
    ],
    [
      'a branch beside it',
      ['{id: p, parallel: {branches: [{id: l, run: echo}, {id: r, run: "echo $l.json"}]}}'],
      /^error forward-reference 3: Step "p\.r"/,
    ],
    [
      'a step inside a loop',
      [list, '{id: l, for_each: $list.json, steps: [{id: in, run: echo}]}', '{id: z, run: "echo $in.json"}'],
      /^error forward-reference 5: .*inside a loop/,
    ],
    [
      'a part that no result has',
      [list, '{id: b, run: cat, stdin: $list.jsn}'],
      /^error unknown-result 4: .*Did you mean \$list\.json/,
    ],
    [
      'an argument that is not declared',
      ['{id: a, input: {prompt: "Hi ${whom}"}}'],
      /^error unknown-name 3: .*Did you mean "who"/,
    ],
    [
      'an argument in a shell that is nearly declared',
      ['{id: a, run: "echo ${whoo}"}'],
      /^warning unknown-name 3: .*Did you mean "who"/,
    ],
    ['an answer that nobody gives', [list, '{id: b, run: echo, when: $list.approved}'], /^warning no-gate 4/],
    ['a reason that nobody gives', [list, '{id: b, run: "echo $list.reason"}'], /^warning no-gate 4/],
    ['a response that nobody gives', [list, '{id: b, run: "echo $list.response.x"}'], /^warning no-gate 4/],
    [
      'a step after a no that ends the run',
      ['{id: g, approval: ok?}', '{id: b, run: echo, when: "$g.approved == false"}'],
      /^warning unreachable 4: .*on_reject: continue/,
    ],
    ['a condition that never holds', ['{id: a, run: echo, when: "1 == 2"}'], /^warning unreachable 3/],
    [
      'a gate in a race',
      ['{id: p, parallel: {wait: any, branches: [{id: g, approval: ok?}]}}'],
      /^error impossible-gate 3/,
    ],
    [
      'a pipeline that asks in a race',
      [
        list,
        '{id: p, parallel: {wait: any, branches: [{id: g, pipeline: "head --n 1 | approve", stdin: $list.json}]}}',
      ],
      /^error impossible-gate 4: Step "p\.g": No step inside/,
    ],
    [
      'a pipeline that asks for words in a loop in a race',
      [
        list,
        '{id: p, parallel: {wait: any, branches: [{id: l, for_each: $list.json, steps: [{id: g, pipeline: "ask --prompt x"}]}]}}',
      ],
      /^error impossible-gate 4: Step "p\.l\[\]\.g"/,
    ],
    [
      'a value of a pipeline that a shell reads',
      ['{id: a, pipeline: "exec --shell \'echo ${who}\'"}'],
      /^warning unsafe-place 3: .*only a plain word/,
    ],
    [
      'an answer that several must give',
      ['{id: a, input: {prompt: n, approvers: [x, y], needed: 2}}'],
      /^error impossible-gate 3: .*one person's.*approval with needed/,
    ],
    [
      'people who must agree and are not named',
      ['{id: g, approval: {prompt: ok?, needed: 2}}'],
      /^warning nobody-named 3: .*2 people must agree, and none is named.*approvers: \[/,
    ],
    [
      'somebody else who must agree and is not named',
      ['{id: g, approval: {prompt: ok?, require_different_approver: true}}'],
      /^warning nobody-named 3: .*a run that you start.*approvers: \[/,
    ],
    [
      'as many as are named, without the one who starts it',
      ['{id: g, approval: {prompt: ok?, approvers: [a, b], needed: 2, require_different_approver: true}}'],
      /^warning nobody-left 3: .*a run that one of them starts.*one more/,
    ],
    ['a no to an input', ['{id: a, input: {prompt: n, on_reject: continue}}'], /^error misplaced-field 3/],
    ['a time limit of a question', ['{id: a, approval: ok?, timeout: 2h}'], /^error misplaced-field 3/],
    ['a key of a question', ['{id: a, approval: ok?, idempotency_key: x}'], /^error misplaced-field 3/],
    [
      'a value behind a dollar sign',
      ['{id: a, run: "echo $${who}"}'],
      /^error unsafe-place 3: .*\\\$ for a dollar sign/,
    ],
    [
      'work that is done before the approval',
      ['{id: a, run: rm x, approval: ok?}'],
      /^warning work-before-approval 3/,
    ],
    ['a retry of what must happen once', ['{id: a, run: echo, retry: {max: 2}}'], /^warning retry-once 3/],
    ['a raw value', ['{id: a, run: "${raw:who}"}'], /^warning raw-value 3/],
    ['a value where no quoting is safe', ['{id: a, run: \'eval "${who}"\'}'], /^warning unsafe-place 3/],
    ['a folder outside', ['{id: a, run: pwd, cwd: ../..}'], /^error cwd-outside 3/],
    ['a time that is none', ['{id: a, sleep: {until: tomorrow}}'], /^error wrong-time 3/],
    ['a variable that cannot be', ['{id: a, run: echo, env: {"A B": x}}'], /^error wrong-name 3/],
  ])('reports %s', (_, steps, expected) => {
    expect(told(...steps)[0]).toMatch(expected);
  });

  test('ignores step references and ids inside plain data', () => {
    const data = '{id: a, llm-task: {prompt: "Costs $x.json", input: {id: x, steps: "$x.json"}}}';
    expect(told(data, '{id: b, input: {prompt: "$y.json", response_schema: {id: y}}}')).toEqual([]);
  });

  test('checks every pipeline stage but not values that are known only at runtime', () => {
    expect(told(list, '{id: a, pipeline: "where k=${who} | head --n ${who} | pick $list.stdout"}')).toEqual(
      [],
    );
    expect(told('{id: a, pipeline: "head | nope"}')[0]).toMatch(
      /^error pipeline 3: .*Stage 2.*Unknown command: nope/,
    );
    expect(told('{id: a, pipeline: "where k=${who} | heed --n 1"}')[0]).toMatch(/^error pipeline 3: .*head/);
    expect(told('{id: a, pipeline: "head --n x"}')[0]).toMatch(/^error pipeline 3/);
  });

  test('marks a read-only pipeline as pure and one with exec as once', () => {
    const effects = (pipeline: string) =>
      readWorkflowObject({ steps: [{ id: 'a', pipeline }] }).definition?.steps[0]?.effect;
    expect(effects('where a=1 | pick a')).toBe('pure');
    expect(effects('exec date | head')).toBe('once');
  });

  test('turns the first finding into one invalid-input error with its position', () => {
    const [first] = found('{id: a, run: echo, cwd: /etc}');
    expect(first && findingError(first)).toMatchObject({ code: 'invalid_input', where: 'line 3, column 29' });
  });
});

describe('Nested workflow calls', () => {
  const files: Readonly<Record<string, unknown>> = {
    'a.puppy': { steps: [{ id: 's', workflow: 'b.puppy', workflow_args: { who: 'x' } }] },
    'b.puppy': { args: { who: {} }, steps: [{ id: 't', workflow: 'c.puppy' }] },
    'c.puppy': {
      steps: [{ id: 'g', approval: { prompt: 'x', on_reject: [{ id: 'u', workflow: 'a.puppy' }] } }],
    },
    'd.puppy': {
      steps: [
        { id: 's', workflow: 'b.puppy', workflow_args: { whoo: 'x' } },
        { id: 't', workflow: 'no.puppy' },
      ],
    },
    'e.puppy': {
      steps: [
        { id: 's', workflow: 'f.puppy' },
        { id: 't', workflow: 'f.puppy' },
      ],
    },
    'f.puppy': { steps: [{ id: 's', run: 'echo' }] },
    'g.puppy': { steps: [{ id: 'g', approval: 'ok?' }] },
    'h.puppy': { steps: [{ id: 's', workflow: 'g.puppy' }] },
  };
  const open = (file: string) => {
    const result = files[file] ? definitionFrom(readWorkflowObject(files[file])) : null;
    return result?.ok ? { id: file, definition: result.value } : null;
  };
  const check = (file: string) => {
    const root = open(file);
    return root
      ? checkCalls(root, (_, name) => open(name)).findings.map(({ rule, path }) => `${rule} ${path}`)
      : null;
  };

  test('are reported as a cycle, also through a reject branch', () => {
    expect(check('a.puppy')).toContain('cycle ');
  });

  test('are reported for missing workflows and for missing or unknown arguments', () => {
    expect(check('d.puppy')?.slice(0, 3)).toEqual([
      'missing-argument s',
      'unknown-argument s',
      'no-workflow t',
    ]);
  });

  test('report each finding once and open a file once per call, not once per path (T25)', () => {
    const deep = 15;
    const fresh: Record<string, unknown> = {};
    for (let at = 0; at < deep; at += 1) {
      const calls = ['l', 'm', 'r'].map((id) => ({ id, workflow: `${at + 1}.puppy` }));
      fresh[`${at}.puppy`] = { steps: calls };
    }
    fresh[`${deep}.puppy`] = { steps: [{ id: 'z', workflow: 'none.puppy' }] };
    const read = new Map(
      Object.entries(fresh).map(([name, file]) => [name, definitionFrom(readWorkflowObject(file))]),
    );
    let opened = 0;
    const found = (name: string) => {
      opened += 1;
      const result = read.get(name);
      return result?.ok ? { id: name, definition: result.value } : null;
    };
    const root = found('0.puppy');
    const told = root ? checkCalls(root, (_, name) => found(name)).findings : [];
    expect(told.map(({ rule }) => rule)).toEqual(['no-workflow']);
    expect(opened).toBe(1 + deep * 3 + 1);
  });

  test('are limited in depth by the longest path', () => {
    const chain = (length: number, end: unknown) => {
      const made: Record<string, unknown> = { 'end.puppy': end };
      for (let at = 0; at < length; at += 1) {
        const next = at + 1 < length ? `c${at + 1}.puppy` : 'end.puppy';
        const calls = [
          { id: 's', workflow: 'end.puppy' },
          { id: 't', workflow: next },
        ];
        made[`c${at}.puppy`] = { steps: calls };
      }
      return made;
    };
    const rules = (length: number) => {
      const made = chain(length, { steps: [{ id: 'e', run: 'echo' }] });
      const find = (name: string) => {
        const result = made[name] ? definitionFrom(readWorkflowObject(made[name])) : null;
        return result?.ok ? { id: name, definition: result.value } : null;
      };
      const root = find('c0.puppy');
      return root ? checkCalls(root, (_, name) => find(name)).findings.map(({ rule }) => rule) : null;
    };
    expect(rules(15)).toEqual([]);
    expect(rules(16)).toContain('too-deep');
  });

  test('cannot contain an approval inside wait: any, at any depth', () => {
    const race = (file: string, wait: string) => {
      const call = { id: 's', workflow: file };
      const text = { steps: [{ id: 'p', parallel: { wait, branches: [call] } }] };
      const root = definitionFrom(readWorkflowObject(text));
      if (!root.ok) throw new Error(root.error.message);
      return checkCalls({ id: 'race.puppy', definition: root.value }, (_, name) => open(name)).findings.map(
        ({ rule, path }) => `${rule} ${path}`,
      );
    };
    expect(race('h.puppy', 'any')).toEqual(['impossible-gate p.s']);
    expect(race('h.puppy', 'all')).toEqual([]);
    expect(race('f.puppy', 'any')).toEqual([]);
  });

  test('may start the same workflow twice', () => {
    expect(check('e.puppy')).toEqual([]);
  });
});
