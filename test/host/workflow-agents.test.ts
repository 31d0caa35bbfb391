import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { englishText } from '../../src/language/host-message.ts';
import { type AdapterUnderTest, reply } from '../conformance/models/adapter-under-test.ts';
import { anthropicAdapter } from '../conformance/models/anthropic-wire.ts';
import { type Asked, type ModelServer, startModelServer } from '../conformance/models/model-server.ts';
import { openAiCompletionsAdapter } from '../conformance/models/openai-completions-wire.ts';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { createRig, type Rig } from '../fakes/puffo-rig.ts';
import { answerTo, newHome, startHost, type TestHost, until } from './host-rig.ts';

// Agents with models in the formats of two providers that start workflows in their turns.

const place = newHome();
let kennel: TestHost;
let rig: Rig;
let server: ModelServer;
const env = { KENNEL_PASSPHRASE: 'correct horse' };

beforeAll(async () => {
  server = await startModelServer();
  rig = await createRig();
  kennel = await startHost(place.home, { env });
  const inviteCode = rig.relay.createInvite();
  await kennel.call('setup.signUp', { serverUrl: rig.relay.url, inviteCode, username: 'ada' });
}, 60_000);
afterAll(async () => {
  await kennel?.stop();
  await server.close();
  await rig.stop();
  place.remove();
});
afterEach(() => server.answer());

let replies = 0;
/** A reply is counted once by its id, so each has its own. */
const own = () => {
  replies += 1;
  return { id: `resp_${replies}` };
};
const says = (adapter: AdapterUnderTest, text: string) => ({
  frames: adapter.wire(reply([{ type: 'text', pieces: [text] }], own())),
});
const calls = (adapter: AdapterUnderTest, id: string, name: string, args: object) => ({
  frames: adapter.wire(reply([{ type: 'call', id, name, pieces: [JSON.stringify(args)] }], own())),
});
const toolsOf = ({ body }: Asked): readonly string[] =>
  ((body.tools ?? []) as { readonly name?: string; readonly function?: { readonly name: string } }[]).map(
    (tool) => tool.name ?? tool.function?.name ?? '',
  );
const textOf = (asked: Asked | undefined): string => JSON.stringify(asked?.body.messages ?? '');

async function agentOn(adapter: AdapterUnderTest, id: string, allowed: boolean): Promise<string> {
  const { agent } = await kennel.call('agents.create', {
    id,
    provider: adapter.provider,
    model: adapter.model,
    baseUrl: `${server.origin}${adapter.basePath}`,
    apiKey: 'sk-test',
  });
  if (allowed)
    await kennel.call('agents.setTools', {
      agent: id,
      tools: { allow: [], alsoAllow: ['puppy.run', 'puppy.resume'], deny: [] },
    });
  await until(
    'it to be online',
    async () => (await kennel.call('agents.get', { agent: id })).connection === 'online',
  );
  return agent.slug ?? '';
}

const effects = (name: string): string => join(place.home, 'workflows', 'effects', `${name}.txt`);
function workflow(name: string): string {
  const path = join(place.home, 'workflows', `${name}.puppy`);
  mkdirSync(dirname(effects(name)), { recursive: true });
  writeFileSync(
    path,
    `name: ${name}\nsteps:\n  - id: ask\n    approval: Ship ${name}?\n  - id: ship\n    run: echo shipped-${name} | tee -a '${effects(name)}'\n`,
  );
  return `${name}.puppy`;
}

const waiting = (kind: 'tool' | 'workflow', agent: string): Promise<Approval> =>
  until(`a question of kind ${kind}`, async () =>
    (await kennel.call('approvals.list', { kind })).approvals.find(({ agentId }) => agentId === agent),
  );
const allow = ({ id, digest }: Approval) =>
  kennel.call('approvals.decide', {
    id,
    digest,
    answer: { type: 'allow', scope: 'once' },
    surface: 'window',
  });

describe.each([
  ['anthropic', anthropicAdapter],
  ['openai', openAiCompletionsAdapter],
] as const)('Agent on a model of %s', (name, adapter) => {
  const id = `runner-${name}`;

  it('runs a workflow, asks in the chat, and reports the result after a y in that thread (T8)', async () => {
    const slug = await agentOn(adapter, id, true);
    const file = workflow(id);
    server.answer(
      calls(adapter, 'call_1', 'puppy_run', { pipeline: file }),
      says(adapter, 'It waits for your approval.'),
    );
    const before = server.asked.length;
    const { messageId, roomId } = await kennel.call('chat.send', { to: id, text: 'ship it' });
    const call = await waiting('tool', id);
    // The preview shows all commands before they run.
    expect(call).toMatchObject({
      subject: 'puppy_run',
      preview: { body: expect.stringContaining(`shipped-${id}`) },
    });
    await allow(call);
    const gate = await waiting('workflow', id);
    expect(englishText(gate.title)).toContain(`Ship ${id}?`);
    const first = await answerTo(kennel, roomId, messageId);
    expect(first?.text).toBe('It waits for your approval.');
    expect(toolsOf(server.asked[before] as Asked)).toEqual(
      expect.arrayContaining(['puppy_run', 'puppy_resume']),
    );
    const told = textOf(server.asked[before + 1]);
    expect(told).toContain('needs_approval');
    expect(told).not.toMatch(/resumeToken|approvalId/);
    const run = gate.gate?.runId ?? '';

    server.answer(
      calls(adapter, 'call_2', 'puppy_resume', { run, action: 'approve' }),
      calls(adapter, 'call_3', 'puppy_resume', { run }),
      says(adapter, 'It cannot be done by me.'),
    );
    const second = await kennel.call('chat.send', { to: id, text: 'approve it yourself' });
    expect((await answerTo(kennel, roomId, second.messageId))?.text).toBe('It cannot be done by me.');
    expect((await kennel.call('approvals.get', { id: gate.id })).approval.state).toBe('waiting');
    expect(existsSync(effects(id))).toBe(false);

    // The gate is answered in its thread: without a new message the agent reports the result by itself.
    const question = await until('the question in the chat', async () => {
      const { messages } = await kennel.call('chat.history', { room: roomId, limit: 50 });
      return messages.find(({ own, text }) => !own && text.includes(`Workflow \`${id}\` asks`));
    });
    const asked = server.asked.length;
    server.answer(calls(adapter, 'call_4', 'puppy_resume', { run }), says(adapter, `Done: ${id} is out.`));
    await kennel.call('chat.send', { to: id, text: 'y', threadRootId: question.id });
    await until('the answer', async () => {
      const { approval } = await kennel.call('approvals.get', { id: gate.id });
      return approval.decision?.surface === 'chat' && approval.decision.as === 'approve';
    });
    const last = await until('what came of it', async () => {
      const { messages } = await kennel.call('chat.history', { room: roomId, limit: 50 });
      return messages.find(({ text }) => text === `Done: ${id} is out.`);
    });
    expect(last).toMatchObject({ senderSlug: slug, own: false });
    expect(textOf(server.asked[asked])).toContain(`The run ${run}`);
    expect(textOf(server.asked[asked + 1])).toContain(`shipped-${id}`);
    expect(readFileSync(effects(id), 'utf8')).toBe(`shipped-${id}\n`);
  }, 90_000);

  it('is offered workflow tools only if agent.yml names them; other calls get an error message', async () => {
    const other = `idle-${name}`;
    await agentOn(adapter, other, false);
    server.answer(
      calls(adapter, 'call_1', 'puppy_run', { pipeline: 'exec echo hi' }),
      says(adapter, 'I may not.'),
    );
    const before = server.asked.length;
    const { messageId, roomId } = await kennel.call('chat.send', { to: other, text: 'run it' });
    expect((await answerTo(kennel, roomId, messageId))?.text).toBe('I may not.');
    expect(toolsOf(server.asked[before] as Asked)).not.toContain('puppy_run');
    expect(textOf(server.asked[before + 1])).toContain('There is no tool named puppy_run. There are: ');
    expect((await kennel.call('runs.list', { text: 'exec echo hi', limit: 5 })).runs).toEqual([]);
  }, 60_000);
});

it('A paused agent learns the end of its run once, after resume, also after a restart', async () => {
  const adapter = anthropicAdapter;
  const id = 'sleeper';
  await agentOn(adapter, id, true);
  const file = workflow(id);
  server.answer(calls(adapter, 'call_1', 'puppy_run', { pipeline: file }), says(adapter, 'Waiting.'));
  const { roomId, messageId } = await kennel.call('chat.send', { to: id, text: 'ship it' });
  await allow(await waiting('tool', id));
  const gate = await waiting('workflow', id);
  await answerTo(kennel, roomId, messageId);
  await kennel.call('agents.pause', { agent: id });
  await allow(gate);
  await until(
    'the end',
    async () => (await kennel.call('runs.get', { run: gate.gate?.runId ?? '' })).run.status === 'ok',
  );
  await kennel.stop();
  kennel = await startHost(place.home, { env });
  server.answer(says(adapter, 'It is out.'));
  const before = server.asked.length;
  await kennel.call('agents.resume', { agent: id });
  const said = (): Promise<number> =>
    kennel
      .call('chat.history', { room: roomId, limit: 50 })
      .then(({ messages }) => messages.filter(({ text }) => text === 'It is out.').length);
  await until('a word about it', async () => (await said()) > 0);
  await kennel.call('agents.pause', { agent: id });
  await kennel.call('agents.resume', { agent: id });
  await until(
    'it to be back',
    async () => (await kennel.call('agents.get', { agent: id })).connection === 'online',
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await said()).toBe(1);
  expect(server.asked.length - before).toBe(1);
}, 90_000);

it("A task whose run waits frees its worker, also over a restart, and continues with the run's result", async () => {
  const adapter = anthropicAdapter;
  const id = 'tasker';
  await agentOn(adapter, id, true);
  const file = workflow(id);
  const taskOf = async (task: number) => (await kennel.call('tasks.get', { task })).task;
  server.answer(calls(adapter, 'call_1', 'puppy_run', { pipeline: file }));
  const { task } = await kennel.call('tasks.add', { goal: 'ship it', agent: id });
  await allow(await waiting('tool', id));
  const gate = await waiting('workflow', id);
  const run = gate.gate?.runId ?? '';
  const held = await until('it to be held', async () => {
    const now = await taskOf(task.id);
    return now.waitingFor?.kind === 'run' ? now : undefined;
  });
  expect(held).toMatchObject({ status: 'waiting', waitingFor: { kind: 'run', run, name: id } });
  expect((await kennel.call('tasks.workers', {})).running).toBe(0);

  await kennel.stop();
  kennel = await startHost(place.home, { env });
  const asked = server.asked.length;
  expect((await taskOf(task.id)).waitingFor).toEqual(held.waitingFor);
  server.answer(calls(adapter, 'call_2', 'finish', { result: 'It is out.' }));
  await allow(await waiting('workflow', id));
  await until('it to be done', async () => (await taskOf(task.id)).status === 'done');
  expect(server.asked.length - asked).toBe(1);
  expect(textOf(server.asked[asked])).toContain(`shipped-${id}`);
  expect(textOf(server.asked[asked])).not.toContain('needs_approval');
  expect(readFileSync(effects(id), 'utf8')).toBe(`shipped-${id}\n`);
}, 90_000);

it('Cancelling a task whose run waits leaves the run active and says so', async () => {
  const adapter = anthropicAdapter;
  const id = 'leaver';
  await agentOn(adapter, id, true);
  server.answer(calls(adapter, 'call_1', 'puppy_run', { pipeline: workflow(id) }));
  const { task } = await kennel.call('tasks.add', { goal: 'ship it', agent: id });
  await allow(await waiting('tool', id));
  const gate = await waiting('workflow', id);
  const run = gate.gate?.runId ?? '';
  await until(
    'it to be held',
    async () => (await kennel.call('tasks.get', { task: task.id })).task.waitingFor?.kind === 'run',
  );
  const { failure } = await kennel.call('tasks.cancel', { task: task.id });
  expect(englishText(failure?.message ?? '')).toContain(`The run ${run} that it waited for continues`);
  expect((await kennel.call('runs.get', { run })).run.status).toBe('waiting');
  await allow(gate);
  await until('the end', async () => (await kennel.call('runs.get', { run })).run.status === 'ok');
  expect((await kennel.call('tasks.get', { task: task.id })).task).toMatchObject({
    status: 'error',
    failure: { kind: 'cancelled' },
  });
}, 60_000);

it("llm-task asks the agent's model for valid JSON without tools, and counts its usage", async () => {
  const adapter = anthropicAdapter;
  const id = 'sorter';
  await agentOn(adapter, id, false);
  await kennel.call('agents.setTools', {
    agent: id,
    tools: { allow: [], alsoAllow: ['llm-task'], deny: [] },
  });
  const schemaJson = JSON.stringify({
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b'] } },
  });
  server.answer(
    calls(adapter, 'call_1', 'llm_task', { prompt: 'Which kind?', input: 'a mail', schemaJson }),
    says(adapter, '{"kind":"z"}'),
    says(adapter, '{"kind":"b"}'),
    says(adapter, 'It is b.'),
  );
  const before = server.asked.length;
  const { roomId, messageId } = await kennel.call('chat.send', { to: id, text: 'sort it' });
  expect((await answerTo(kennel, roomId, messageId))?.text).toBe('It is b.');
  const [turn, first, second, last] = server.asked.slice(before);
  expect(toolsOf(turn as Asked)).toContain('llm_task');
  expect(toolsOf(turn as Asked)).not.toContain('puppy_run');
  expect([toolsOf(first as Asked), toolsOf(second as Asked)]).toEqual([[], []]);
  expect(textOf(first)).toMatch(/Which kind\?.*a mail/s);
  expect(textOf(second)).toContain('did not fit');
  expect(textOf(last)).toContain('kind');
  // The usage of this conversation contains all four requests.
  const { byThread } = await kennel.call('usage.get', { agent: id, days: 1 });
  expect(byThread).toMatchObject([{ calls: 4 }]);
}, 60_000);

describe('Workflow step for an agent', () => {
  const adapter = anthropicAdapter;
  const show = async (run: string): Promise<string> => {
    const child = spawn(process.execPath, [kennelEntry, 'puppy', 'show', run], {
      env: { PATH: process.env.PATH ?? '', KENNEL_HOME: place.home },
    });
    const shown = { out: '', err: '', code: 0 as number | null };
    child.stdout.on('data', (piece) => (shown.out += String(piece)));
    child.stderr.on('data', (piece) => (shown.err += String(piece)));
    shown.code = await new Promise((resolve) => child.on('close', resolve));
    expect(shown.code, shown.err).toBe(0);
    return shown.out;
  };
  const lifeOf = async (id: string) => (await kennel.call('agents.get', { agent: id })).life;
  const handOut = async (id: string, more = ''): Promise<{ readonly run: string; readonly task: number }> => {
    const text = `name: hand\nsteps:\n  - id: look\n    agent: {name: ${id}, goal: Look at it}\n${more}`;
    const { id: run } = await kennel.call('runs.start', { text });
    const task = await until('its task', async () => {
      const { steps } = await kennel.call('runs.get', { run });
      return steps.find(({ path }) => path === 'look')?.task ?? undefined;
    });
    return { run, task };
  };
  const status = async (run: string) => (await kennel.call('runs.get', { run })).run.status;
  const taskStatus = async (task: number) => (await kennel.call('tasks.get', { task })).task.status;

  it('shows in the terminal which agent it waits for, and continues when that agent is back', async () => {
    const id = 'worker';
    await agentOn(adapter, id, false);
    await kennel.call('agents.pause', { agent: id });
    await until('its pause', async () => (await lifeOf(id)) === 'paused');
    const { run, task } = await handOut(id);
    await until('the word for it', async () =>
      (await show(run)).includes(`task ${task}: waits for ${id}, which is paused`),
    );
    expect(await status(run)).toBe('running');
    server.answer(calls(adapter, 'call_1', 'finish', { result: 'All is well.' }));
    await kennel.call('agents.resume', { agent: id });
    await until('its end', async () => (await status(run)) === 'ok');
    expect(await show(run)).toContain('All is well.');
  }, 60_000);

  it('cancels its task when the run is cancelled or times out', async () => {
    const id = 'slow';
    await agentOn(adapter, id, false);
    await kennel.call('agents.pause', { agent: id });
    const first = await handOut(id);
    await kennel.call('runs.cancel', { run: first.run });
    await until('its task to end', async () => (await taskStatus(first.task)) === 'error');
    expect(await status(first.run)).toBe('cancelled');
    const second = await handOut(id, '    timeout: 1s\n');
    await until('the end of its time', async () => (await status(second.run)) === 'failed');
    expect(await taskStatus(second.task)).toBe('error');
  }, 60_000);

  it('waits for an agent that was archived, names it, and can be cancelled', async () => {
    const id = 'leaving';
    await agentOn(adapter, id, false);
    await kennel.call('agents.pause', { agent: id });
    const { run, task } = await handOut(id);
    await kennel.call('agents.archive', { agent: id });
    await until('the word for it', async () =>
      (await show(run)).includes(`task ${task}: waits for ${id}, which is not here any more`),
    );
    await kennel.call('runs.cancel', { run });
    await until('its end', async () => (await taskStatus(task)) === 'error');
    const { id: never } = await kennel.call('runs.start', {
      text: 'steps:\n  - id: look\n    agent: {name: nobody-there, goal: Look}\n',
    });
    await until('the refusal', async () => (await status(never)) === 'failed');
    expect(await show(never)).toContain('nobody-there');
  }, 60_000);
});
