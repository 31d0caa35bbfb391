import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createLocalModelServer,
  type LocalModelServer,
  ollamaShow,
  streamText,
} from '../fakes/local-model-server.ts';
import { answerTo, newDemoHome, type newHome, startHost, type TestHost, until } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;
let server: LocalModelServer | null = null;

beforeEach(async () => {
  home = await newDemoHome();
  kennel = await startHost(home.home);
  await kennel.call('setup.tryDemo', {});
});
afterEach(async () => {
  await kennel.stop();
  await server?.stop();
  server = null;
  home.remove();
});

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly unknown[];
  readonly temperature?: number;
  readonly max_tokens?: number;
}

/** Runs Guide on a model of this server, which returns `answers` in turn. */
async function ollama(show: object, answers: readonly string[]): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  server = await createLocalModelServer({
    'POST /api/show': show,
    'GET /api/ps': { models: [] },
    'POST /v1/chat/completions': (response, body) => {
      sent.push(JSON.parse(body) as Sent);
      streamText(response, answers[sent.length - 1] ?? 'Nothing more.');
    },
  });
  const baseUrl = `${server.url}/v1`;
  await kennel.call('agents.setRuntime', { agent: 'guide', provider: 'ollama', model: 'gemma2', baseUrl });
  return sent;
}

async function ask(text: string) {
  const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text });
  return answerTo(kennel, roomId, messageId);
}

describe('Model without native tool calls', () => {
  it('is detected, writes tool calls as text and gets results as text', async () => {
    const workspace = path.join(home.home, 'agents', 'guide', 'workspace');
    mkdirSync(workspace, { recursive: true });
    writeFileSync(path.join(workspace, 'plan.md'), 'Ship on Tuesday.');
    const sent = await ollama(ollamaShow({ capabilities: ['completion'] }), [
      'I look.\nread_file(path="plan.md")',
      'We ship on Tuesday.',
    ]);
    const answer = await ask('When do we ship?');
    expect(answer?.text).toContain('We ship on Tuesday.');
    expect(answer?.steps).toMatchObject([{ tool: 'read_file', state: 'done' }]);
    expect(sent.map(({ tools }) => tools)).toEqual([undefined, undefined]);
    expect(sent[0]?.messages[0]?.content).toContain('- read_file: ');
    expect(sent[1]?.messages.at(-1)).toMatchObject({ role: 'user' });
    expect(sent[1]?.messages.at(-1)?.content).toMatch(/^Result of read_file:\n[\s\S]*Ship on Tuesday\./);
  }, 60_000);

  it('needs approval for tool calls written as text', async () => {
    await ollama(ollamaShow({ capabilities: ['completion'] }), [
      'write_file(path="hello.md", content="# hello")',
      'I may not.',
    ]);
    const { messageId, roomId } = await kennel.call('chat.send', { to: 'guide', text: 'write hello.md' });
    const { approvals } = await waitForQuestion();
    expect(approvals).toMatchObject([{ agentId: 'guide', subject: 'write_file' }]);
    const [{ id, digest } = { id: '', digest: '' }] = approvals;
    await kennel.call('approvals.decide', {
      id,
      digest,
      answer: { type: 'deny', reason: 'no' },
      surface: 'terminal',
    });
    expect((await answerTo(kennel, roomId, messageId))?.text).toContain('I may not.');
  }, 60_000);
});

const waitForQuestion = () =>
  until('a question', async () => {
    const found = await kennel.call('approvals.list', {});
    return found.approvals.length > 0 && found;
  });

describe('Model limits and price', () => {
  const config = () => readFileSync(path.join(home.home, 'agents', 'guide', 'agent.yml'), 'utf8');

  it('are set per agent, used in requests and costs, and removed with the model', async () => {
    const sent = await ollama(ollamaShow(), ['Hello.']);
    await kennel.call('agents.setModel', {
      agent: 'guide',
      contextWindow: 30_000,
      maxOutputTokens: 500,
      temperature: 0.25,
      price: { input: 1000, output: 2000 },
    });
    expect(config()).toMatch(/context_window: 30000/);
    await ask('hi');
    expect(sent[0]).toMatchObject({ temperature: 0.25, max_tokens: 500 });
    expect(sent[0]?.tools?.length).toBeGreaterThan(0);
    expect((await kennel.call('usage.get', { agent: 'guide', days: 1 })).today.usd).toBeCloseTo(1.02);
    await kennel.call('agents.setRuntime', { agent: 'guide', model: 'other' });
    expect((await kennel.call('agents.get', { agent: 'guide' })).modelSettings).toEqual({
      contextWindow: null,
      maxOutputTokens: null,
      temperature: 0.25,
      nativeTools: null,
      price: null,
    });
    expect(config()).not.toMatch(/context_window|price/);
  }, 60_000);

  it('are rejected when out of range, and the file stays unchanged', async () => {
    const before = config();
    for (const bad of [{ contextWindow: 5 }, { temperature: 3 }, { maxOutputTokens: -1 }])
      expect(await kennel.tryCall('agents.setModel', { agent: 'guide', ...bad })).toMatchObject({
        error: { code: 'invalid_input', message: expect.stringMatching(/^runtime\.\w+ must/) as string },
      });
    expect(config()).toBe(before);
  });

  it('fail the turn with the next step if the context window is too small for instructions and tools', async () => {
    await ollama(ollamaShow({ parameters: 'num_ctx 2048' }), ['never']);
    await kennel.call('chat.send', { to: 'guide', text: 'hi' });
    const failed = await until('a failed turn', async () => {
      const { error } = await kennel.call('agents.get', { agent: 'guide' });
      return error ?? undefined;
    });
    expect(failed).toMatchObject({
      code: 'model_error',
      said: { key: 'turns.windowTooSmall', values: { n: expect.any(Number) as number, window: 2048 } },
      help: { key: 'turns.chooseLargerWindow' },
    });
    expect(server?.asked.filter((one) => one.includes('chat/completions'))).toEqual([]);
  }, 60_000);
});
