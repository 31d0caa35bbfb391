import { describe, expect, it } from 'vitest';
import {
  createPipelineWorld,
  type PipelineWorld,
  type WorldOptions,
  words,
} from '../../../../test/fakes/pipeline-ports.ts';
import { textError } from '../../../contract/errors.ts';
import { err, ok } from '../../../contract/result.ts';
import { englishText } from '../../../language/host-message.ts';
import { preparePipeline } from './check.ts';
import type { JsonValue } from './exact-json.ts';
import { runPipeline } from './run.ts';

async function outcome(text: string, world: PipelineWorld, input: readonly JsonValue[] = []) {
  const stages = preparePipeline(text);
  if (!stages.ok) throw new Error(stages.error.map(({ message }) => englishText(message)).join());
  const { signal } = new AbortController();
  const end = await runPipeline({ stages: stages.value, ports: world.ports, signal, input });
  if (!end.ok) return end.error;
  return end.value.kind === 'done' ? end.value.items : end.value.halt;
}

const says = (chunks: readonly string[], more: { code?: number; stderr?: string } = {}): PipelineWorld =>
  createPipelineWorld({ program: () => ({ chunks, ...more }) });

describe('exec', () => {
  it.each<[string, string, readonly string[], readonly JsonValue[]]>([
    ['each line that is not empty is an item', 'exec a', ['x\n\n', 'y\r\nz'], ['x', 'y', 'z']],
    ['a line comes in pieces', 'exec a', ['ab', 'cd\ne', 'f'], ['abcd', 'ef']],
    ['blanks in lines are kept', 'exec a', ['  x \n'], ['  x ']],
    ['a list spreads', 'exec --json a', ['[1,', '2]\n'], [1, 2]],
    ['any other value is one item', 'exec --json a', ['{"a":1}'], [{ a: 1 }]],
    ['nothing is null', 'exec --json a', [' \n'], [null]],
    ['big numbers keep their digits', 'exec --json a', ['[9007199254740993]'], [9007199254740993n]],
  ])('turns output into items: %s', async (_name, text, chunks, items) => {
    expect(await outcome(text, says(chunks))).toEqual(items);
  });

  it('passes all later arguments to the program', async () => {
    const world = says([]);
    await outcome("exec printf %s --hello --json '' '|'", world);
    await outcome("exec --json --shell 'a | b'", world);
    await outcome("exec 'date -u'", world);
    expect(world.ran.map(({ command }) => command)).toEqual([
      { kind: 'program', program: 'printf', args: ['%s', '--hello', '--json', '', '|'] },
      { kind: 'shell', line: 'a | b' },
      { kind: 'shell', line: 'date -u' },
    ]);
  });

  it.each([
    ['raw', 'a\n{"b":1}'],
    ['json', '["a",{"b":1}]'],
    ['jsonl', '"a"\n{"b":1}\n'],
  ])('writes items to standard input as %s', async (mode, stdin) => {
    const world = says([]);
    await outcome(`exec --stdin ${mode} x`, world, ['a', { b: 1 }]);
    expect(world.ran[0]?.stdin).toBe(stdin);
  });

  it('runs the stages before it even if it takes no items', async () => {
    const world = createPipelineWorld();
    await outcome('exec first | exec second', world);
    expect(world.ran.map(words)).toEqual(['first', 'second']);
    expect(world.ran[1]?.stdin).toBeNull();
  });

  it('reports the exit code with stderr or stdout, a missing program and invalid JSON', async () => {
    expect(await outcome('exec a', says(['out'], { code: 3, stderr: 'bad\n' }))).toMatchObject({
      message: 'exec failed (3): bad',
    });
    expect(await outcome('exec a', says(['out'], { code: 3 }))).toMatchObject({
      message: 'exec failed (3): out',
    });
    const none = createPipelineWorld({ program: () => null });
    expect(await outcome('exec /no/such', none)).toMatchObject({ code: 'not_found' });
    expect(await outcome('exec --json a', says(['welcome']))).toMatchObject({
      message: expect.stringContaining('no JSON'),
    });
  });

  it('stops its program when head has enough items', async () => {
    const world = says(Array.from({ length: 1000 }, (_, line) => `${line}\n`));
    expect(await outcome('exec a | head --n 2', world)).toEqual(['0', '1']);
    expect(world.stopped).toBe(1);
  });
});

describe('Pipeline state', () => {
  it('is null for an unused key', async () => {
    expect(await outcome('state.get nothing-here', createPipelineWorld())).toEqual([null]);
  });

  it('stores one item or a list and passes the items on', async () => {
    const world = createPipelineWorld();
    expect(await outcome('state.set one', world, [1])).toEqual([1]);
    expect(await outcome('state.set two', world, [1, 2])).toEqual([1, 2]);
    expect(await outcome('state.get one', world)).toEqual([1]);
    expect(await outcome('state.get two', world)).toEqual([[1, 2]]);
  });

  it('has case-sensitive keys, separate per command', async () => {
    const world = createPipelineWorld();
    await outcome("state.set 'Team/A'", world, [1]);
    await outcome('diff.last --key k', world, [1]);
    await outcome('llm.invoke --prompt a --state-key k', world);
    expect(await outcome('state.get team_a', world)).toEqual([null]);
    expect(await outcome('state.get k', world)).toEqual([null]);
  });

  it('shows what changed since the last run, independent of key order', async () => {
    const world = createPipelineWorld();
    const changed = async (item: JsonValue) =>
      outcome('diff.last --key s | pick changed,before', world, [item]);
    expect(await changed({ b: 1, a: 2 })).toEqual([{ changed: true, before: null }]);
    expect(await changed({ a: 2, b: 1 })).toEqual([{ changed: false, before: { b: 1, a: 2 } }]);
    expect(await changed({ a: 3, b: 1 })).toEqual([{ changed: true, before: { a: 2, b: 1 } }]);
  });

  it('ends the pipeline if it cannot be written', async () => {
    const world = createPipelineWorld();
    const refused = {
      ...world.ports.state,
      set: async () => err(textError('disk_full', 'No space is left.')),
    };
    const broken = { ...world, ports: { ...world.ports, state: refused } };
    expect(await outcome('state.set a', broken, [1])).toMatchObject({
      code: 'disk_full',
      where: 'stage 1, state.set',
    });
  });
});

describe('openclaw.invoke', () => {
  const call = 'openclaw.invoke --tool t --action a';
  const gateway = (more: WorldOptions = {}) =>
    createPipelineWorld({ ambient: { url: 'http://127.0.0.1:8080', hasToken: true }, ...more });

  it.each([
    'http://example.invalid',
    'https://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'http://[::2]',
    'http://0.0.0.0',
  ])('refuses to send the environment token to %s', async (url) => {
    const world = gateway();
    expect(await outcome(`exec a | ${call} --url ${url}`, world)).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('refuses to send'),
    });
    expect([world.posted, world.ran]).toEqual([[], []]);
  });

  it('refuses to send the environment token if the address comes from the environment too', async () => {
    const world = gateway({ ambient: { url: 'http://example.invalid', hasToken: true } });
    expect(await outcome(`exec a | ${call} --each`, world)).toMatchObject({ code: 'forbidden' });
    expect(world.ran).toEqual([]);
  });

  it.each([
    'http://localhost:1',
    'http://127.0.0.1',
    'http://127.9.9.9',
    'http://[::1]:2',
    'HTTP://LOCALHOST',
  ])('asks the host to add the environment token for %s', async (url) => {
    const world = gateway();
    await outcome(`${call} --url ${url}`, world);
    expect(world.posted[0]).toMatchObject({ url, token: { kind: 'ambient' } });
  });

  it('sends an explicit token or none, and fails without an address', async () => {
    const world = gateway();
    await outcome(`${call} --url http://example.invalid --token x`, world);
    const bare = createPipelineWorld();
    await outcome(`${call} --url http://example.invalid`, bare);
    expect(world.posted[0]?.token).toEqual({ kind: 'given', value: 'x' });
    expect(bare.posted[0]?.token).toEqual({ kind: 'none' });
    expect(await outcome(call, createPipelineWorld())).toMatchObject({
      message: expect.stringContaining('no address'),
    });
  });

  it('calls once, or once per item with --each', async () => {
    const world = gateway({
      answer: ({ body }) => ({ status: 200, body: JSON.stringify({ ok: true, result: [body] }) }),
    });
    expect(await outcome(`${call} --args-json '{"x":1}' --session-key s --dry-run`, world, [1, 2])).toEqual([
      { tool: 't', action: 'a', sessionKey: 's', dryRun: true, args: { x: 1 } },
    ]);
    await outcome(
      `fluffbuzz.invoke --tool t --action a --args-json '{"x":1}' --each --item-key m`,
      world,
      [1, 2],
    );
    expect(world.posted.slice(1).map(({ body }) => body.args)).toEqual([
      { x: 1, m: 1 },
      { x: 1, m: 2 },
    ]);
  });

  it.each<[string, { status: number; body: string }, unknown]>([
    ['raw JSON', { status: 200, body: '{"a":1}' }, [{ a: 1 }]],
    ['a list', { status: 200, body: '[1,2]' }, [1, 2]],
    [
      'a refusal',
      { status: 200, body: '{"ok":false,"error":{"message":"no"}}' },
      { message: 'openclaw.invoke failed (200): no' },
    ],
    ['a failure', { status: 500, body: 'oops' }, { message: 'openclaw.invoke failed (500): oops' }],
    ['no JSON', { status: 200, body: '<html>' }, { code: 'protocol' }],
  ])('handles %s without a retry', async (_name, answer, expected) => {
    const world = gateway({ answer: () => answer });
    const got = await outcome(call, world);
    if (Array.isArray(expected)) expect(got).toEqual(expected);
    else expect(got).toMatchObject(expected as object);
    expect(world.posted).toHaveLength(1);
  });
});

describe('llm.invoke', () => {
  const schema = `--output-schema '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}'`;
  const model = (...texts: readonly string[]): PipelineWorld => {
    const world: PipelineWorld = createPipelineWorld({
      model: () => ok({ runId: 'r', model: 'm', text: texts[world.asked.length - 1] ?? '', usage: null }),
    });
    return world;
  };

  it('sends the items as artifacts and returns the reply', async () => {
    const world = model('fine');
    expect(
      await outcome('llm.invoke --prompt p --temperature 0.2 --model x', world, ['a', { b: 1 }]),
    ).toMatchObject([
      { output: { format: 'text', text: 'fine', data: null }, cached: false, source: 'remote', model: 'm' },
    ]);
    expect(world.asked[0]).toMatchObject({
      prompt: 'p',
      model: 'x',
      temperature: 0.2,
      artifacts: [
        { kind: 'text', text: 'a', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { kind: 'json', data: { b: 1 } },
      ],
    });
  });

  it('caches the reply to the same question, but not with --refresh, --disable-cache or other items', async () => {
    const world = model('one', 'two', 'three');
    await outcome('llm.invoke --prompt p', world, ['a']);
    expect(await outcome('llm.invoke --prompt p', world, ['a'])).toMatchObject([
      { cached: true, source: 'cache' },
    ]);
    expect(world.asked).toHaveLength(1);
    await outcome('llm.invoke --prompt p', world, ['b']);
    await outcome('llm.invoke --prompt p --refresh', world, ['a']);
    await outcome('llm.invoke --prompt p --disable-cache', world, ['a']);
    expect(world.asked).toHaveLength(4);
  });

  it('uses the reply under a state key only if the question is the same', async () => {
    const world = model('one', 'two');
    await outcome('llm.invoke --prompt p --state-key k', world);
    expect(await outcome('llm.invoke --prompt p --state-key k', world)).toMatchObject([
      { source: 'run_state' },
    ]);
    expect(await outcome('llm.invoke --prompt q --state-key k', world)).toMatchObject([{ cached: false }]);
  });

  it('retries with the schema errors and removes a code fence', async () => {
    const world = model('{"n":"x"}', '```json\n{"n":3}\n```');
    expect(await outcome(`llm.invoke --prompt p ${schema}`, world)).toMatchObject([
      { output: { format: 'json', data: { n: 3 } } },
    ]);
    expect(world.asked[1]?.retryContext).toMatchObject({
      attempt: 1,
      text: '{"n":"x"}',
      errors: ['n must be integer'],
    });
  });

  it('rejects an integer beyond the safe range as invalid', async () => {
    const world = model('{"n":9007199254740993}', '{"n":1}');
    expect(await outcome(`llm.invoke --prompt p ${schema}`, world)).toMatchObject([
      { output: { data: { n: 1 } } },
    ]);
  });

  it('fails after its retries and stores nothing', async () => {
    const world = model('no', 'no', 'no');
    expect(
      await outcome(`llm_task.invoke --prompt p ${schema} --max-validation-retries 2`, world),
    ).toMatchObject({
      code: 'model_error',
      message: expect.stringContaining('breaks the schema'),
    });
    expect([world.asked.length, world.state.size]).toEqual([3, 0]);
  });
});

describe('Catalogue and templates', () => {
  it('lists and runs workflows by name', async () => {
    const world = createPipelineWorld();
    expect(await outcome('workflows.list', world)).toEqual([{ name: 'weekly' }]);
    const run = `workflows.run --name weekly --args-json '{"a":1}'`;
    expect(await outcome(run, world)).toEqual([{ ran: 'weekly', args: { a: 1 } }]);
    expect(await outcome('workflows.run --name nope', world)).toMatchObject({ code: 'not_found' });
  });

  it('lists all 24 commands with argument schema and effect', async () => {
    const listed = await outcome('commands.list', createPipelineWorld());
    const names = Array.isArray(listed) ? listed.map((each) => (each as { name: string }).name) : [];
    expect(names).toEqual(
      expect.arrayContaining([
        'exec',
        'groupBy',
        'diff.last',
        'fluffbuzz.invoke',
        'llm_task.invoke',
        'commands.list',
      ]),
    );
    expect(new Set(names).size).toBe(24);
    expect(
      Array.isArray(listed) && listed.find((each) => (each as { name: string }).name === 'head'),
    ).toMatchObject({
      argsSchema: {
        properties: { n: { type: 'integer', minimum: 0, default: 10 } },
        additionalProperties: false,
      },
      sideEffects: [],
      effect: 'pure',
    });
  });

  it('reads a template file at run time', async () => {
    const world = createPipelineWorld({ files: { 'line.txt': '<{{.}}>', 'bad.txt': '{{a' } });
    expect(await outcome('template --file line.txt', world, [1])).toEqual(['<1>']);
    expect(await outcome('template --file bad.txt', world, [1])).toMatchObject({ code: 'invalid_input' });
    expect(await outcome('template --file none.txt', world, [1])).toMatchObject({ code: 'not_found' });
  });
});
