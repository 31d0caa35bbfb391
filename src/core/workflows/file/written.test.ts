// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are templates of a workflow file
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seed } from '../../../../test/fakes/test-run.ts';
import { definitionHash } from './definition-hash.ts';
import { parseDuration, printDuration } from './duration.ts';
import { graphOf } from './graph.ts';
import { mermaidOf } from './mermaid.ts';
import { definitionFrom, readWorkflow, readWorkflowObject } from './read-workflow.ts';
import { stringifyDefinition } from './stringify-workflow.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const opened = (value: unknown) => {
  const result = definitionFrom(typeof value === 'string' ? readWorkflow(value) : readWorkflowObject(value));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }).map((one) => `x${one}`),
  fc.constantFrom(
    '${arg}',
    'a ${arg} b',
    '${raw:arg}',
    'yes',
    'true',
    '12',
    '# no',
    'a: b',
    'line\nline\n',
    '- x',
    "it's",
    '\\${arg}',
    ' x ',
  ),
);
const maybe = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: null }).map((one) => (one === null ? {} : { [key]: one }));
const without = (fields: object, ...names: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
const join = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as object);
const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const data = fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), fc.dictionary(fc.constantFrom('k', 'l'), leaf));
const time = fc.constantFrom('1s', '90s', '15m', '2h', '30d', 5, '45d');

const outcome = fc.oneof(
  fc.constantFrom('cancel', 'continue', 'fail'),
  fc.constantFrom('cancel', 'continue', 'fail').map(
    (word) =>
      Object.fromEntries([
        ['steps', [{ id: '@', run: 'echo' }]],
        ['then', word],
      ]) as object,
  ),
  fc.constant([{ id: '@', run: 'echo' }]),
);
const waiting = join(
  maybe('expires', fc.constantFrom('30d', '40d', '3d')),
  maybe('remind', fc.constantFrom('1d', '2h')),
  maybe('on_reject', outcome),
  maybe('on_timeout', outcome),
  fc.constantFrom(
    {},
    { approvers: ['a', 'b'], needed: 2 },
    { required_approver: 'a', require_different_approver: true },
    { needed: 3 },
  ),
);
const gate = fc.oneof(
  fc.constantFrom<unknown>(true, 'required', 'Go on?'),
  fc
    .tuple(waiting, text, maybe('items', data), maybe('preview', text))
    .map(([more, prompt, items, preview]) => ({ prompt, ...more, ...items, ...preview })),
);
const extras = join(
  maybe('when', fc.constantFrom('1 == 1', true, '!("a" == b) || 2 > 1')),
  maybe(
    'retry',
    fc.record({
      max: fc.nat(5).map((n) => n + 1),
      backoff: fc.constantFrom('fixed', 'exponential'),
      jitter: fc.boolean(),
    }),
  ),
  maybe('timeout', time),
  maybe('on_error', fc.constantFrom('stop', 'continue', 'skip_rest')),
  maybe('effect', fc.constantFrom('pure', 'idempotent', 'once')),
  maybe('idempotency_key', text),
);
const process_ = join(
  maybe('env', fc.dictionary(fc.constantFrom('A', 'B'), text)),
  maybe('stdin', text),
  maybe('approval', gate),
);
const work = fc.oneof(
  fc.tuple(text, process_).map(([run, more]) => ({ run, ...more })),
  fc.tuple(text, process_).map(([command, more]) => ({ command, ...more })),
  fc.constantFrom(
    { pipeline: 'head --n ${arg}' },
    { pipeline: 'exec date | json' },
    { pipeline: 'pick a,b' },
  ),
  fc
    .tuple(text, maybe('name', text), maybe('schema', fc.constant({ type: 'object' })))
    .map(([goal, ...more]) => ({ agent: Object.assign({ goal }, ...more) as object })),
  fc
    .tuple(text, maybe('input', data), maybe('fallback', fc.constant([{ id: '@', run: 'echo' }])))
    .map(([prompt, ...more]) => ({ 'llm-task': Object.assign({ prompt }, ...more) as object })),
  fc
    .tuple(maybe('workflow_args', fc.dictionary(fc.constantFrom('p', 'q'), text)))
    .map(([args]) => ({ workflow: 'child.puppy', ...args })),
  fc.constantFrom<object>(
    { sleep: '10m' },
    { sleep: { until: '2030-01-01T00:00:00Z' } },
    { for_each: '${arg}', batch_size: 2, steps: [{ id: '@', run: 'echo $item.x' }] },
  ),
  fc.constantFrom<object>(
    {
      parallel: {
        wait: 'any',
        branches: [
          { id: '@', run: 'a' },
          { id: '@', pipeline: 'head' },
        ],
      },
    },
    { parallel: { timeoutMs: 5, branches: [{ id: '@', run: 'a' }] } },
  ),
);
const asking = fc.oneof(
  gate.map((approval) => ({ approval })),
  fc.tuple(text, waiting).map(([prompt, more]) => ({
    input: { prompt, responseSchema: {}, ...without(more, 'needed', 'on_reject') },
  })),
);

/** Ids are assigned afterwards, so that each is unique. */
function numbered(value: object): unknown {
  let next = 0;
  return JSON.parse(
    JSON.stringify(value).replaceAll('"id":"@"', () => {
      next += 1;
      return `"id":"s${next}"`;
    }),
  );
}
const step = fc.oneof(
  fc.tuple(work, extras).map(([one, more]) => {
    if (Object.hasOwn(one, 'parallel') || Object.hasOwn(one, 'sleep')) return one;
    const holds = Object.hasOwn(one, 'workflow') || Object.hasOwn(one, 'for_each');
    return { ...(holds ? without(more, 'idempotency_key') : more), ...one };
  }),
  asking,
);
const file = fc.record({
  name: text,
  args: fc.constant({ arg: { default: null, description: 'd' }, n: { type: 'integer', enum: [1, 2] } }),
  extraArgs: fc.boolean(),
  env: fc.dictionary(fc.constantFrom('A', 'B'), text),
  cost_limit: fc.constant({ max_usd: 1.5 }),
  steps: fc.array(
    step.map((one) => ({ id: '@', ...one })),
    { minLength: 1, maxLength: 4 },
  ),
});

describe('Written workflow definition', () => {
  test(`parses back to the same definition and hash (seed ${seed})`, () => {
    fc.assert(
      fc.property(file, (one) => {
        const reading = readWorkflowObject(numbered(one));
        const errors = reading.findings.filter(({ severity }) => severity === 'error');
        // A random text may contain an unknown name and is refused for that alone.
        fc.pre(errors.length === 0 || errors.some(({ rule }) => rule !== 'unknown-name'));
        expect(errors).toEqual([]);
        if (!reading.definition) return;
        const again = opened(stringifyDefinition(reading.definition));
        expect(again).toEqual(reading.definition);
        expect(definitionHash(sha256, again)).toBe(definitionHash(sha256, reading.definition));
      }),
      { numRuns: 150 },
    );
  });

  test('has a hash that ignores formatting and changes with behaviour', () => {
    const hash = (one: string) => definitionHash(sha256, opened(one));
    const plain = hash('steps:\n  - {id: a, run: echo, timeout_ms: 60000}\n');
    expect(hash('# why\nsteps:\n  - timeout: 1m\n    command: "echo"\n    id: a\n')).toBe(plain);
    expect(hash('{"steps":[{"id":"a","run":"echo","timeoutMs":60000}]}')).toBe(plain);
    expect(hash('steps:\n  - {id: a, run: echo, timeout_ms: 60001}\n')).not.toBe(plain);
    expect(hash('steps:\n  - {id: a, run: "echo "}\n')).not.toBe(plain);
  });

  test.each([
    [1, '1ms'],
    [1500, '1500ms'],
    [90_000, '90s'],
    [3_600_000, '1h'],
    [30 * 86_400_000, '30d'],
    [14 * 86_400_000, '2w'],
  ])('prints %i ms as %s', (ms, printed) => {
    expect(printDuration(ms)).toBe(printed);
    expect(parseDuration(printed)).toBe(ms);
  });
});

describe('Workflow graph', () => {
  const graph = graphOf(
    opened(`
name: deploy
steps:
  - {id: build, run: make}
  - {id: both, parallel: {branches: [{id: left, run: a}, {id: right, run: b}]}}
  - {id: each, for_each: $build.json, steps: [{id: send, run: x}]}
  - id: gate
    approval: {prompt: ok?, on_reject: {steps: [{id: undo, run: x}], then: continue}, on_timeout: [{id: late, run: x}]}
  - {id: ship, run: x, when: $gate.approved}
`),
  );

  test('has every step and every edge', () => {
    expect(graph.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      'start next build',
      'build next both',
      'both branch both.left',
      'both branch both.right',
      'both.left join each',
      'both.right join each',
      'each branch each[].send',
      'each[].send again each',
      'each next gate',
      'gate reject gate.on_reject.undo',
      'gate timeout gate.on_timeout.late',
      'gate next ship',
      'gate.on_reject.undo join ship',
      'ship next end',
    ]);
  });

  test('gives every node its own grid cell', () => {
    const places = graph.nodes.map(({ row, column }) => `${row}/${column}`);
    expect(new Set(places).size).toBe(places.length);
    expect(graph.nodes.every(({ row, column }) => row < graph.rows && column < graph.columns)).toBe(true);
  });

  test('escapes labels in Mermaid text', () => {
    const mermaid = mermaidOf(
      graphOf(
        opened({
          name: '"]; click <b>',
          steps: [
            { id: 'g', approval: 'ok?' },
            { id: 'a', run: 'x', when: '"<img>" == "|"' },
          ],
        }),
      ),
    );
    expect(mermaid).toBe(
      [
        'flowchart TD',
        '  n0(["#34;#93;#59; click #60;b#62;"])',
        '  n1{{"g<br/>approval"}}',
        '  n2["a<br/>run"]',
        '  n3(["end"])',
        '  n0 --> n1',
        '  n1 -->|"#34;#60;img#62;#34; #61;#61; #34;#124;#34;"| n2',
        '  n2 --> n3',
        '',
      ].join('\n'),
    );
  });
});
