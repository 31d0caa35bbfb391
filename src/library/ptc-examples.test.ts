import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveOnLoopback } from '../../test/fakes/on-loopback.ts';
import { readAgentsFile } from '../core/agentd/agents-file.ts';

// Each example runs as a program of its own, with a scripted model server on loopback and a real MCP server.

const root = path.resolve(import.meta.dirname, '../..');
const examples = path.join(root, 'docs/examples');
const newsServer = path.join(root, 'test/children/news-server.ts');
const run = promisify(execFile);

type Call = readonly [name: string, args: object];
type Step = { readonly say?: string; readonly calls?: readonly Call[] };

let folder: string;
let steps: Step[];
let bodies: string[];
let server: Awaited<ReturnType<typeof serveOnLoopback>>;

function chatMessage({ say = null, calls = [] }: { say?: string | null; calls?: readonly Call[] }): object {
  const made = calls.map(([name, args], n) => ({
    id: `call_${n}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: 'assistant', content: say, ...(made.length > 0 ? { tool_calls: made } : {}) };
}

const responseItems = ({ say, calls = [] }: Step): readonly object[] => [
  ...(say === undefined
    ? []
    : [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: say }] }]),
  ...calls.map(([name, args], n) => ({
    type: 'function_call',
    id: `fc_${n}`,
    call_id: `call_${n}`,
    name,
    arguments: JSON.stringify(args),
  })),
];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-examples-'));
  writeFileSync(path.join(folder, 'news'), 'a comet');
  [steps, bodies] = [[], []];
  server = await serveOnLoopback(async (request, response) => {
    bodies.push(await text(request));
    const step = steps.shift() ?? { say: 'the script is at its end' };
    if (bodies.at(-1)?.includes('"stream":true')) {
      response.setHeader('content-type', 'text/event-stream');
      const chunk = (delta: object, end: string | null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
      response.end(`${chunk({ content: step.say }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
      return;
    }
    response.setHeader('content-type', 'application/json');
    const isChat = request.url?.endsWith('/chat/completions') === true;
    const answer = isChat
      ? { id: 'c', choices: [{ index: 0, message: chatMessage(step), finish_reason: 'stop' }] }
      : { id: 'r', object: 'response', output: responseItems(step) };
    response.end(JSON.stringify(answer));
  });
});

afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function example(name: string, ...args: readonly string[]): Promise<string> {
  const file = path.join(examples, name);
  const { stdout } = await run(process.execPath, ['--conditions=kennel-source', file, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: 'key',
    },
  });
  return stdout;
}

/** A program as a user would have it installed: the examples pass no environment. */
const news = (): readonly [string, ...string[]] => {
  const file = path.join(folder, 'news-server.mjs');
  const values = { NEWS_FILE: path.join(folder, 'news'), POST_FILE: path.join(folder, 'posts') };
  writeFileSync(
    file,
    `Object.assign(process.env, ${JSON.stringify(values)});\nawait import(${JSON.stringify(newsServer)});\n`,
  );
  return [process.execPath, file];
};

describe('Examples of kennel/ptc', () => {
  it('mcp-tools.ts: the model calls a tool of a server, and one that is not approved is refused', async () => {
    steps = [
      {
        calls: [
          ['news__fetch', {}],
          ['news__post', { text: 'x' }],
        ],
      },
      { say: 'A comet.' },
    ];
    expect(await example('mcp-tools.ts', ...news())).toBe('A comet.\n');
    expect(bodies[1]).toContain('"content":"a comet"');
    expect(bodies[1]).toContain('The call was refused.');
  });

  it('code-with-tools.ts: code of the model calls the tool', async () => {
    const code = 'const news = await tools.news.fetch({});\nreturn news.length;';
    steps = [{ say: `\`\`\`javascript:execute\n${code}\n\`\`\`\n` }, { say: 'Seven letters.' }];
    expect(await example('code-with-tools.ts', ...news())).toBe('[completed] 7\nSeven letters.\n');
  });

  it('own-functions.ts: functions of the program, and wrong arguments as a result', async () => {
    steps = [
      {
        calls: [
          ['add', { a: 2, b: 3 }],
          ['repeat', { text: 'ha', times: 99 }],
        ],
      },
      { calls: [['repeat', { text: 'ha', times: 5 }]] },
      { say: 'Done.' },
    ];
    expect(await example('own-functions.ts')).toBe('Done.\n');
    expect(bodies[1]).toContain('"output":"5"');
    expect(bodies[1]).toContain('The arguments are wrong. times:');
    expect(bodies[2]).toContain('hahahahaha');
  });

  it('code-as-tool.ts: programs are asked about, and everything is in the log', async () => {
    steps = [
      {
        calls: [
          ['bash', { command: 'ls' }],
          ['bash', { command: 'rm news' }],
        ],
      },
      { say: 'One file.' },
    ];
    const printed = await example('code-as-tool.ts');
    expect(printed).toContain('bash: failed\nThe code was refused.');
    expect(printed).toMatch(/bash: completed\n[\s\S]*news[\s\S]*One file\.\n$/);
    expect(readdirSync(folder)).toContain('news');
    const [log = ''] = readdirSync(path.join(folder, 'logs'));
    expect(readFileSync(path.join(folder, 'logs', log), 'utf8')).toContain('"type":"session_end"');
  });

  it('config/news.yaml: agents that react', () => {
    const read = readAgentsFile(readFileSync(path.join(examples, 'config/news.yaml'), 'utf8'), {});
    expect(read).toMatchObject({ ok: true, value: [{ name: 'news_agent', model: 'gpt-4o' }] });
  });
});
