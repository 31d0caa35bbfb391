import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveOnLoopback } from '../../test/fakes/on-loopback.ts';
import {
  type CodeExecution,
  type DisplayEvent,
  displayEvents,
  type PtcOptions,
  patchOpenAIWithMcp,
  patchOpenAIWithPtc,
  tool,
} from './ptc.ts';

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

function coder(options: PtcOptions = {}) {
  const made = patchOpenAIWithPtc(new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'key', maxRetries: 0 }), {
    cwd: folder,
    ...options,
  });
  ends.push(() => made.cleanupPtc());
  return made;
}

const script = (code: string, language = 'javascript'): string =>
  `\`\`\`${language}:execute\n${code}\n\`\`\`\n`;
const messagesOf = (round: number): readonly { readonly role: string; readonly content: string }[] =>
  (asked[round]?.body.messages ?? asked[round]?.body.input) as never;

describe('patchOpenAIWithPtc', () => {
  it('runs the code of an answer, whose calls reach real servers, and sends only what it prints', async () => {
    const code =
      'const all = await Promise.all([1, 2, 3].map((a) => tools.add({ a })));\n' +
      'console.log(await tools.news.fetch({}), all.join(" "));';
    steps = [{ say: `I look.\n${script(code)}` }, { say: 'Done.' }];
    const executions: CodeExecution[] = [];
    const answer = await coder({ onCode: (each) => executions.push(each) }).chat.completions.create({
      ...ask,
      mcpServers: [news()],
      localTools: [add],
    });
    expect(answer.choices[0]?.message.content).toBe('Done.');
    expect(executions).toEqual([
      expect.objectContaining({ target: 'javascript', output: 'a comet 2 3 4', status: 'completed' }),
    ]);
    const [system, , said, results] = messagesOf(1);
    expect(system?.content).toContain('add(args: {');
    expect(said).toEqual({ role: 'assistant', content: `I look.\n${script(code)}` });
    expect(results?.content).toMatch(/^Execution results:[\s\S]*exit code 0[\s\S]*a comet 2 3 4/);
    expect(asked[0]?.body.tools).toBeUndefined();
  });

  it.each(['chat', 'responses'] as const)(
    'streams text and executions, hides the code, and stops at prose after it: %s',
    async (kind) => {
      const said = `I look.\n${script('return 6 * 7')}The result is 41.\n${script('return 0')}`;
      steps = [{ say: said }, { say: 'It is 42.' }];
      const { chat, responses } = coder();
      const stream =
        kind === 'chat'
          ? await chat.completions.create({ ...ask, stream: true })
          : await responses.create({ model: 'm', input: 'go', stream: true });
      const events = await collect(stream);
      const kinds = events.map((event) => event.type).filter((type, n, all) => type !== all[n - 1]);
      expect(kinds).toEqual(['text_delta', 'code_execution', 'text_delta', 'turn_end']);
      expect(events.filter(({ type }) => type === 'code_execution')).toEqual([
        {
          type: 'code_execution',
          id: 'ptc_1',
          code: 'javascript\nreturn 6 * 7',
          output: '42',
          status: 'completed',
        },
      ]);
      expect(events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('')).toBe(
        'I look.\nIt is 42.',
      );
      const results = messagesOf(1).map(({ content }) => content);
      expect(results.at(-1)).toContain('42');
      expect(JSON.stringify(results)).not.toContain('The result is 41');
    },
  );

  it('runs bash and python in the working folder, and writes files there and nowhere else', async () => {
    const create = (name: string): string => `\`\`\`${name}:create\nhello\n\`\`\`\n`;
    steps = [
      {
        say: [
          create('notes/a.txt'),
          script('cat notes/a.txt; exit 3', 'bash'),
          script('print(open("notes/a.txt").read().upper())', 'python'),
          create('../outside.txt'),
          script('x', 'ruby'),
          script('const n: number = 2; return n', 'ts'),
        ].join(''),
      },
      { say: 'Done.' },
    ];
    const ran: CodeExecution[] = [];
    await coder({ onCode: (each) => ran.push(each) }).chat.completions.create(ask);
    expect(ran.map(({ target, status, exitCode }) => [target, status, exitCode])).toEqual([
      ['notes/a.txt:create', 'completed', 0],
      ['bash', 'failed', 3],
      ['python', 'completed', 0],
      ['../outside.txt:create', 'failed', null],
      ['ruby', 'failed', null],
      ['ts', 'completed', 0],
    ]);
    expect(ran.map(({ output }) => output).slice(1, 3)).toEqual(['hello', 'HELLO\n']);
    expect(readdirSync(path.dirname(folder))).not.toContain('outside.txt');
  });

  it('asks for each call of a tool and for each program, and a refused call throws in the code', async () => {
    const code =
      'try { await tools.news.post({ text: "x" }) } catch (error) { return `${error.name}: ${error.message}` }';
    steps = [{ say: script(code) + script('touch made', 'bash') }, { say: 'ok' }];
    const wanted: string[] = [];
    const approve: PtcOptions['approve'] = ({ name }) => {
      wanted.push(name);
      return false;
    };
    await coder({ approve }).chat.completions.create({ ...ask, mcpServers: [news()] });
    expect(wanted.sort()).toEqual(['bash', 'news__post']);
    expect(messagesOf(1).at(-1)?.content).toContain('ToolError: The call was refused.');
    expect(readdirSync(folder)).toEqual(['news']);
  });

  it('does not run code in which the answer ended', async () => {
    steps = [{ say: '```javascript:execute\nreturn 1' }, { say: 'ok' }];
    await coder().chat.completions.create(ask);
    expect(messagesOf(1).at(-1)?.content).toContain('not run, because your answer ended inside it');
  });

  it.each(['chat', 'responses'] as const)('offers the same as native tools: %s', async (kind) => {
    steps = [
      {
        calls: [
          ['code', '{"code":"return await tools.add({a:1})"}'],
          ['bash', '{"command":"echo hi"}'],
        ],
      },
      { say: 'Done.' },
    ];
    const { chat, responses } = coder({ codeTools: true });
    const more = { localTools: [add], stream: true } as const;
    const stream =
      kind === 'chat'
        ? await chat.completions.create({ ...ask, ...more })
        : await responses.create({ model: 'm', input: 'go', ...more });
    const events = await collect(stream);
    expect(events.flatMap((event) => (event.type === 'code_execution' ? event.output : []))).toEqual([
      '2',
      'hi',
    ]);
    expect(said(events)).toBe('Done.');
    const names = asked[0]?.body.tools?.map(
      (each) => (each as { name?: string }).name ?? (each.function as { name: string }).name,
    );
    expect(names).toEqual(['code', 'bash', 'python']);
    expect(asked).toHaveLength(2);
  });

  it('makes 20 real rounds, and passes calls through without code if it is off', async () => {
    steps = Array.from({ length: 30 }, () => ({ say: script('return 1') }));
    let limits = 0;
    await coder({ executor: null, onLimit: () => (limits += 1) }).chat.completions.create(ask);
    expect([asked.length, limits]).toEqual([20, 1]);
    asked = [];
    steps = [{ say: script('return 1') }];
    const plain = await coder().chat.completions.create({ ...ask, ptcEnabled: false });
    expect(plain.choices[0]?.message.content).toBe(script('return 1'));
    expect(asked.map(({ body }) => body)).toEqual([ask]);
  });

  it('logs code, its calls and results as JSON lines, and the end of a stream', async () => {
    steps = [{ say: script('return await tools.add({ a: 4 })') }, { say: 'Five.' }];
    const stream = await coder({ logDir: path.join(folder, 'logs') }).chat.completions.create({
      ...ask,
      localTools: [add],
      stream: true,
    });
    await collect(stream);
    const [file = ''] = readdirSync(path.join(folder, 'logs'));
    const lines = readFileSync(path.join(folder, 'logs', file), 'utf8')
      .trim()
      .split('\n');
    const records = lines.map((line) => JSON.parse(line) as { type: string; tool_type?: string });
    expect(records.map(({ type, tool_type: kind }) => [type, kind].filter(Boolean).join(' '))).toEqual([
      'session_start',
      'message',
      'message',
      'tool_call code',
      'tool_call function',
      'tool_result function',
      'tool_result code',
      'message',
      'message',
      'session_end',
    ]);
  });
});

describe('tool()', () => {
  it('takes a schema, which types and checks the arguments', async () => {
    const repeat = tool(({ text: each, times }) => each.repeat(times), {
      name: 'repeat',
      parameters: z.object({ text: z.string(), times: z.number().int().default(2).describe('how often') }),
    });
    expect(repeat.parameters).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string' },
        times: {
          type: 'integer',
          default: 2,
          description: 'how often',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        },
      },
      required: ['text'],
    });
    expect(await repeat.run({ text: 'ab' })).toBe('abab');
    await expect(Promise.resolve(repeat.run({ text: 1 }))).rejects.toThrow('text: ');
    const other = {
      '~standard': { version: 1 as const, vendor: 'other', validate: (value: unknown) => ({ value }) },
    };
    expect(() => tool(() => 1, { name: 'x', parameters: other })).toThrow(
      'Schemas of other have no JSON Schema',
    );
  });

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
