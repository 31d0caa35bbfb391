import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const folder = await newDemoHome();
let kennel: TestHost;
let place: { channelId: string; spaceId: string };
let model: Server;

/** A model server with LM Studio's API that always answers with the same text. */
function startModel(): Promise<string> {
  model = createServer((request, response) => {
    if (request.url?.endsWith('/models')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [{ id: 'tiny-1b' }] }));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    const delta = { choices: [{ index: 0, delta: { content: 'I am a real model.' }, finish_reason: null }] };
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    response.end(`data: ${JSON.stringify(delta)}\n\ndata: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  });
  return new Promise((resolve) => {
    model.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(model.address() as AddressInfo).port}`));
  });
}

beforeAll(async () => {
  const address = await startModel();
  // Redirects the well-known port of a local model server to the test's server; the rest is real.
  const fetchHere = ((url: string | URL, init?: RequestInit) =>
    fetch(String(url).replace('http://127.0.0.1:1234', address), init)) as typeof fetch;
  kennel = await startHost(folder.home, { fetch: fetchHere });
  place = await kennel.call('setup.tryDemo', {});
}, 60_000);
afterAll(async () => {
  await kennel.stop();
  model.close();
  folder.remove();
});

it('The home view reports nothing before the first visit and nothing twice', async () => {
  expect(await kennel.call('home.away', {})).toMatchObject({ since: null, answered: [], joined: [] });
  await kennel.call('home.seen', {});
  const away = await kennel.call('home.away', {});
  expect(away.since).toBeGreaterThan(0);
  expect(away).toMatchObject({ answered: [], missed: [], joined: [] });
});

it('The home view reports agent answers and new members since the last visit', async () => {
  await kennel.call('chat.send', { to: place.channelId, text: 'nobody is mentioned here' });
  await kennel.call('chat.send', { to: 'guide', text: 'echo one' });
  await kennel.call('agents.create', { id: 'third', provider: 'scripted' });
  const away = await until('the answer and the member', async () => {
    const view = await kennel.call('home.away', {});
    return view.answered.length > 0 && view.joined.length > 0 && view;
  });
  expect(away.answered[0]).toMatchObject({ agentId: 'guide', count: 1, roomName: 'Guide' });
  expect(away.joined).toMatchObject([{ name: 'third', agent: true, roomName: '#general' }]);
  await kennel.call('home.seen', {});
  expect(await kennel.call('home.away', {})).toMatchObject({ answered: [], joined: [] });
});

it('A local model replaces the scripted one of Guide; it answers and its soul is updated', async () => {
  const { found } = await kennel.call('setup.findLocal', {});
  expect(found).toContainEqual(
    expect.objectContaining({ kind: 'server', provider: 'lmstudio', models: ['tiny-1b'], usable: true }),
  );
  expect((await kennel.call('agents.get', { agent: 'guide' })).soul).toContain('scripted');
  const used = await kennel.call('setup.useModel', {
    agent: 'guide',
    provider: 'lmstudio',
    model: 'tiny-1b',
  });
  expect(used.warning).toBe('');
  const guide = await kennel.call('agents.get', { agent: 'guide' });
  expect(guide.soul).not.toContain('scripted');
  expect(guide).toMatchObject({ provider: 'lmstudio', model: 'tiny-1b', scripted: false });
  const { roomId } = await kennel.call('chat.send', { to: 'guide', text: 'Who are you?' });
  await until('the answer of the model', async () => {
    const { messages } = await kennel.call('chat.history', { room: roomId });
    return messages.some(({ text, own }) => !own && text.includes('I am a real model.'));
  });
});

it('A soul written by the operator is kept when a local model is set', async () => {
  await kennel.call('agents.edit', { agent: 'checker', soul: 'A scripted helper, says my own text.' });
  await kennel.call('setup.useModel', { agent: 'checker', provider: 'lmstudio', model: 'tiny-1b' });
  expect((await kennel.call('agents.get', { agent: 'checker' })).soul).toBe(
    'A scripted helper, says my own text.',
  );
});

it('The first steps know of a backup, and stay hidden once hidden', async () => {
  expect(await kennel.call('setup.firstSteps', {})).toEqual({ isHidden: false, backedUpAt: null });
  const backup = await kennel.call('backup.makeHere', {});
  const made = await kennel.call('setup.firstSteps', {});
  expect(made.backedUpAt).toBeGreaterThan(0);
  await kennel.call('setup.hideFirstSteps', {});
  expect(await kennel.call('setup.firstSteps', {})).toEqual({ ...made, isHidden: true });
  rmSync(backup.path, { recursive: true });
});
