// `kennel agentd` and `kennel repl` as programs, with a real MCP server and a scripted model.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { createMessagesServer, type MessagesServer } from '../fakes/messages-server.ts';
import { until } from './host-rig.ts';

let folder: string;
let model: MessagesServer;
const children: ChildProcess[] = [];
const inFolder = (name: string): string => path.join(folder, name);
const newsServer = path.resolve(import.meta.dirname, '../children/news-server.ts');

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kennel-agentd-'));
  writeFileSync(inFolder('news'), 'nothing happened');
  model = await createMessagesServer(({ messages }) => {
    const text = JSON.stringify(messages.at(-1));
    if (text.includes('tool_result')) return { blocks: [{ text: 'I posted it.' }] };
    if (text.includes('post'))
      return { blocks: [{ tool: 'news__post', id: 'call_1', input: { text: 'hi' } }] };
    return { blocks: [{ text: 'I saw it.' }] };
  });
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
  }
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
});

function config({ subscription, more = '' }: { subscription: string; more?: string }): string {
  const file = inFolder('agents.yaml');
  writeFileSync(
    file,
    `agents:
- name: news_agent
  model: claude-sonnet-4-6
  system_prompt: You watch the news.
  mcp_servers:
  - type: stdio
    name: news
    command: ${process.execPath}
    arguments: ['${newsServer}']
    env_vars: ['NEWS_FILE=\${NEWS_FOLDER}/news', 'POST_FILE=\${NEWS_FOLDER}/posts'${more}]
    allow: [post]
  subscriptions: ['${subscription}']
`,
  );
  return file;
}

function kennel(args: readonly string[], input: string | null = null) {
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  const env = {
    PATH,
    TMPDIR,
    HOME: folder,
    KENNEL_HOME: inFolder('home'),
    NEWS_FOLDER: folder,
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: model.url,
  };
  const child = spawn(process.execPath, [kennelEntry, ...args], { env });
  children.push(child);
  const run = { child, out: '', err: '', code: null as number | null };
  child.stdout.on('data', (piece) => (run.out += String(piece)));
  child.stderr.on('data', (piece) => (run.err += String(piece)));
  if (input !== null) child.stdin.end(input);
  const closed = new Promise<void>((resolve) =>
    child.once('close', (code) => {
      run.code = code;
      resolve();
    }),
  );
  return { run, closed };
}

/** The first content is stored before anything is a change. */
const firstSight = (): boolean => {
  const found = existsSync(inFolder('home/agentd'));
  return found && readState().includes('nothing happened');
};

function readState(): string {
  const [state] = readdirSync(inFolder('home/agentd'));
  const file = path.join(inFolder('home/agentd'), state ?? '', 'news_agent.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe('kennel agentd', () => {
  it.each([
    ['a tool that is polled', 'tool://fetch/?url=x#poll=0.1', ''],
    ['a resource of a server of 2025', 'news://today', ''],
    ['a resource of a server of 2026', 'news://today', ", 'ONLY_MODERN=1'"],
  ])('starts a turn when content changes, and handles it once: %s', async (_name, subscription, more) => {
    const file = config({ subscription, more });
    const first = kennel(['agentd', file, '--json']);
    await until('the first content', firstSight);
    writeFileSync(inFolder('news'), 'a comet was seen');
    await until('a turn', () => first.run.out.includes('I saw it.'));
    expect(model.asked).toHaveLength(1);
    expect(JSON.stringify(model.asked[0]?.messages)).toMatch(/<data u\w+ from=.*a comet was seen/);
    await until('the stored content', () => readState().includes('a comet was seen'));
    first.run.child.kill('SIGTERM');
    await first.closed;
    expect(first.run).toMatchObject({ code: 0, err: '' });

    writeFileSync(inFolder('news'), 'please post this');
    const second = kennel(['agentd', file, '--json']);
    await until('a turn after the restart', () => second.run.out.includes('I posted it.'));
    expect(readFileSync(inFolder('posts'), 'utf8')).toBe('hi\n');
    expect(model.asked).toHaveLength(3);
    second.run.child.kill('SIGTERM');
    await second.closed;
    expect(second.run.code).toBe(0);
  });

  it('runs once per file, and says where a file is wrong', async () => {
    const file = config({ subscription: 'news://today' });
    const first = kennel(['agentd', file, '--json']);
    await until('the first content', firstSight);
    const second = kennel(['agentd', file]);
    await second.closed;
    expect(second.run.code).toBe(2);
    expect(second.run.err).toContain('already run in another process');
    first.run.child.kill('SIGTERM');
    await first.closed;
    writeFileSync(file, 'agents:\n- name: a\n  model: m\n  sytem_prompt: x\n');
    const wrong = kennel(['agentd', file]);
    await wrong.closed;
    expect(wrong.run.code).toBe(2);
    expect(wrong.run.err).toContain('line 2');
  });
});

describe('kennel repl', () => {
  it('streams answers to lines of a pipe, shows the calls, and leaves no program behind', async () => {
    const file = config({ subscription: 'news://today' });
    const { run, closed } = kennel(['repl', 'news_agent', '--config', file], 'hello\n/tools\npost it\n');
    await closed;
    expect(run.err).toBe('');
    expect(run.code).toBe(0);
    expect(run.out).toContain('news_agent> ');
    expect(run.out).toContain('news__post (allowed)');
    const [seen, called, posted] = ['I saw it.', '[news__post {"text":"hi"}]', 'I posted it.'];
    expect([seen, called, posted].map((text) => run.out.indexOf(text))).toEqual(
      [seen, called, posted].map((text) => run.out.indexOf(text)).toSorted((a, b) => a - b),
    );
    expect(run.out).toContain(posted);
  });

  it('names the agents of the file if there is no such agent', async () => {
    const { run, closed } = kennel(
      ['repl', 'other', '--config', config({ subscription: 'news://today' })],
      '',
    );
    await closed;
    expect(run.code).toBe(2);
    expect(run.err).toContain('news_agent');
  });
});
