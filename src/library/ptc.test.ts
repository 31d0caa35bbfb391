import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveOnLoopback } from '../../test/fakes/on-loopback.ts';
import { type DisplayEvent, displayEvents, patchOpenAIWithMcp, tool } from './ptc.ts';

// The real package `openai` against a scripted server on loopback, with a real MCP server.

type Call = readonly [name: string, args: string];
type Step = { readonly say?: string; readonly calls?: readonly Call[] };
interface Asked {
  readonly path: string;
  readonly body: Record<string, unknown> & { readonly tools?: readonly Record<string, unknown>[] };
  readonly key: string;
}

let folder: string;
let steps: Step[];
let asked: Asked[];
let server: Awaited<ReturnType<typeof serveOnLoopback>>;
let ends: (() => Promise<void>)[];

const newsServer = path.resolve(import.meta.dirname, '../../test/children/news-server.ts');
const news = () => ({
  name: 'news',
  command: process.execPath,
  args: [newsServer],
  env: { NEWS_FILE: path.join(folder, 'news'), POST_FILE: path.join(folder, 'posts') },
});

function chatChunks({ say = '', calls = [] }: Step): readonly object[] {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const parts = calls.flatMap(([name, args], index) => [
    chunk({
      tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
    }),
    // Only the first delta has an id, and an empty one is legal.
    chunk({ tool_calls: [{ index, function: { arguments: '' } }] }),
    ...[...args].map((letter) => chunk({ tool_calls: [{ index, function: { arguments: letter } }] })),
  ]);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...[...say].map((letter) => chunk({ content: letter })),
    ...parts,
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
  ];
}

function chatAnswer({ say, calls = [] }: Step): object {
  const tools = calls.map(([name, args], n) => ({
    id: `call_${n}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  const message = {
    role: 'assistant',
    content: say ?? null,
    ...(tools.length > 0 ? { tool_calls: tools } : {}),
  };
  return { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] };
}

const items = ({ say, calls = [] }: Step): readonly object[] => [
  ...(say === undefined
    ? []
    : [
        {
          type: 'message',
          id: 'm',
          role: 'assistant',
          content: [{ type: 'output_text', text: say, annotations: [] }],
        },
      ]),
  ...calls.map(([name, args], n) => ({
    type: 'function_call',
    id: `fc_${n}`,
    call_id: `call_${n}`,
    name,
    arguments: args,
  })),
];

function responseEvents(step: Step): readonly object[] {
  const output = items(step);
  return [
    { type: 'response.created', response: { id: 'r' } },
    ...output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item },
      ...('call_id' in item
        ? [{ type: 'response.function_call_arguments.delta', item_id: `fc_${index}`, delta: '{' }]
        : [{ type: 'response.output_text.delta', item_id: 'm', delta: step.say ?? '' }]),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: { id: 'r', output } },
  ];
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-ptc-'));
  writeFileSync(path.join(folder, 'news'), 'a comet');
  [steps, asked, ends] = [[], [], []];
  server = await serveOnLoopback(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}') as Asked['body'];
    asked.push({ path: request.url ?? '', body, key: request.headers.authorization ?? '' });
    const isChat = request.url?.endsWith('/chat/completions') === true;
    if (request.url?.endsWith('/embeddings')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [{ embedding: [1], index: 0, object: 'embedding' }] }));
      return;
    }
    const step = steps.shift() ?? { say: 'the script is at its end' };
    if (body.stream !== true) {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify(isChat ? chatAnswer(step) : { id: 'r', object: 'response', output: items(step) }),
      );
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    for (const event of isChat ? chatChunks(step) : responseEvents(step))
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end(isChat ? 'data: [DONE]\n\n' : undefined);
  });
});

afterEach(async () => {
  for (const end of ends) await end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function client(settings: Parameters<typeof patchOpenAIWithMcp>[1] = {}) {
  const made = patchOpenAIWithMcp(
    new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'key', maxRetries: 0 }),
    settings,
  );
  ends.push(() => made.cleanupMcp());
  return made;
}

async function collect(stream: AsyncIterable<unknown>): Promise<readonly DisplayEvent[]> {
  const events: DisplayEvent[] = [];
  for await (const event of displayEvents(stream)) events.push(event);
  return events;
}

const said = (events: readonly DisplayEvent[]): string =>
  events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');

const add = tool(function add({ a, b }) {
  /**
   * Adds two numbers.
   * @param {number} a - the first
   * @param {number} [b=1] - the second
   */
  return Number(a) + Number(b ?? 1);
});

const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'go' }] };

describe('patchOpenAIWithMcp', () => {
  it('runs the calls of a round in parallel, and answers each of them: chat completions', async () => {
    steps = [
      {
        say: 'I look.',
        calls: [
          ['news__fetch', '{}'],
          ['add', '{"a":2}'],
          ['none', '{}'],
          ['add', '{'],
        ],
      },
      { say: 'Done.' },
    ];
    const answer = await client().chat.completions.create({
      ...ask,
      mcpServers: [news()],
      localTools: [add],
    });
    expect(answer.choices[0]?.message.content).toBe('Done.');
    expect(asked).toHaveLength(2);
    expect(asked[0]?.body).not.toHaveProperty('mcpServers');
    expect(asked[1]?.body.messages).toEqual([
      ...ask.messages,
      expect.objectContaining({ role: 'assistant', content: 'I look.' }),
      { role: 'tool', tool_call_id: 'call_0', content: 'a comet' },
      { role: 'tool', tool_call_id: 'call_1', content: '3' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Error: There is no tool named none.' },
      { role: 'tool', tool_call_id: 'call_3', content: 'Error: The arguments are not valid JSON.' },
    ]);
    expect(asked[1]?.body.tools).toEqual(asked[0]?.body.tools);
  });

  it('does the same with responses, and keeps all items', async () => {
    steps = [{ say: 'I look.', calls: [['news__fetch', '{}']] }, { say: 'Done.' }];
    const answer = await client().responses.create({ model: 'm', input: 'go', mcpServers: [news()] });
    expect(answer.output_text).toBe('Done.');
    expect(asked[1]?.body.input).toEqual([
      { role: 'user', content: 'go' },
      ...items({ say: 'I look.', calls: [['news__fetch', '{}']] }),
      { type: 'function_call_output', call_id: 'call_0', output: 'a comet' },
    ]);
  });

  it.each(['chat', 'responses'] as const)('streams all rounds as one answer: %s', async (kind) => {
    steps = [{ say: 'I look. ', calls: [['news__fetch', '{"url":"x"}']] }, { say: 'Done.' }];
    const { chat, responses } = client();
    const more = { mcpServers: [news()], stream: true } as const;
    const stream =
      kind === 'chat'
        ? await chat.completions.create({ ...ask, ...more })
        : await responses.create({ model: 'm', input: 'go', ...more });
    const seen: unknown[] = [];
    const events = await collect(
      (async function* () {
        for await (const event of stream) {
          seen.push(event);
          yield event;
        }
      })(),
    );
    expect(said(events)).toBe('I look. Done.');
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain('news__fetch');
    expect(JSON.stringify(asked[1]?.body)).toContain('a comet');
  });

  it('makes 20 real rounds with all tools, then returns the last answer and says so', async () => {
    steps = Array.from({ length: 30 }, () => ({ calls: [['add', '{"a":1}']] }));
    let limits = 0;
    const patched = client({ onLimit: () => (limits += 1) });
    const answer = await patched.chat.completions.create({ ...ask, localTools: [add] });
    expect(asked).toHaveLength(20);
    expect(asked.every(({ body }) => body.tools?.length === 1)).toBe(true);
    expect(asked.at(-1)?.body.messages).toHaveLength(39);
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(1);
    expect(limits).toBe(1);
  });

  it("returns calls of the caller's own tools to the caller", async () => {
    steps = [
      {
        calls: [
          ['add', '{}'],
          ['mine', '{}'],
        ],
      },
    ];
    const mine = { type: 'function' as const, function: { name: 'mine', parameters: {} } };
    const answer = await client().chat.completions.create({ ...ask, tools: [mine], localTools: [add] });
    const calls = answer.choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => call.type === 'function' && call.function.name)).toEqual(['mine']);
    expect(asked).toHaveLength(1);
  });

  it('runs nothing that the program does not approve', async () => {
    steps = [{ calls: [['news__post', '{"text":"x"}']] }, { say: 'ok' }];
    const patched = client({ approve: ({ name }) => name !== 'news__post' });
    await patched.chat.completions.create({ ...ask, mcpServers: [news()] });
    expect(JSON.stringify(asked[1]?.body.messages)).toContain('The call was refused.');
    expect(readdirSync(folder)).toEqual(['news']);
  });

  it('passes other calls and embeddings on, and finds the provider in the name of the model', async () => {
    const patched = client({
      providers: { anthropic: { baseURL: `${server.url}/claude`, apiKey: 'other' } },
    });
    steps = [{ say: 'plain' }, { say: 'routed' }];
    const plain = await patched.chat.completions.create(ask);
    expect(plain.choices[0]?.message.content).toBe('plain');
    await patched.chat.completions.create({ ...ask, model: 'anthropic/claude-sonnet-4-6' });
    await patched.embeddings.create({ model: 'openrouter/e', input: 'x' });
    expect(asked.map((each) => [each.path, each.body.model, each.key])).toEqual([
      ['/v1/chat/completions', 'm', 'Bearer key'],
      ['/claude/chat/completions', 'claude-sonnet-4-6', 'Bearer other'],
      ['/v1/embeddings', 'openrouter/e', 'Bearer key'],
    ]);
  });

  it('rejects if a server cannot be started', async () => {
    const missing = { command: 'no-such-program-of-kennel' };
    const failing = client().chat.completions.create({ ...ask, mcpServers: [missing] });
    await expect(failing).rejects.toThrow('no-such-program-of-kennel');
    expect(asked).toEqual([]);
  });

  it('logs the conversation as JSON lines', async () => {
    steps = [{ calls: [['add', '{"a":4}']] }, { say: 'Five.' }];
    await client({ logDir: path.join(folder, 'logs') }).chat.completions.create({
      ...ask,
      localTools: [add],
    });
    const [file = ''] = readdirSync(path.join(folder, 'logs'));
    const lines = readFileSync(path.join(folder, 'logs', file), 'utf8')
      .trim()
      .split('\n');
    const records = lines.map((line) => JSON.parse(line) as { readonly type: string });
    expect(records.map(({ type }) => type)).toEqual([
      'session_start',
      'message',
      'message',
      'tool_call',
      'tool_result',
      'message',
      'session_end',
    ]);
    expect(records[4]).toMatchObject({ name: 'add', output: '5', is_error: false });
  });
});

describe('tool()', () => {
  it('reads name, text and parameters from the doc comment', () => {
    expect(add).toMatchObject({
      name: 'add',
      description: 'Adds two numbers.',
      parameters: {
        type: 'object',
        properties: {
          a: { type: 'number', description: 'the first' },
          b: { type: 'number', description: 'the second', default: 1 },
        },
        required: ['a'],
        additionalProperties: false,
      },
    });
    const doc =
      "/** Sorts. @see x\n * @param {string[]} args.items\n * @param {'up'|'down'} args.order which */";
    expect(tool(() => 1, { name: 'sort', doc }).parameters).toMatchObject({
      properties: {
        items: { type: 'array', items: { type: 'string' } },
        order: { type: 'string', enum: ['up', 'down'], description: 'which' },
      },
      required: ['items', 'order'],
    });
    expect(() => tool(() => 1)).toThrow('needs a name');
  });
});

describe('displayEvents()', () => {
  it('shows code that ran, from the items of a response', async () => {
    const outputs = [{ type: 'logs', logs: '2\n' }];
    const item = {
      type: 'code_interpreter_call',
      id: 'ptc_1',
      code: 'python\nprint(2)',
      status: 'completed',
      outputs,
    };
    const stream = async function* () {
      yield { type: 'response.output_item.done', item };
      yield { type: 'response.completed' };
    };
    expect(await collect(stream())).toEqual([
      { type: 'code_execution', id: 'ptc_1', code: 'python\nprint(2)', output: '2\n', status: 'completed' },
      { type: 'turn_end', reason: 'completed' },
    ]);
  });
});
