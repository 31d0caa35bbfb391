import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RoomView } from '../../src/contract/model.ts';
import { promised } from '../fakes/patience.ts';
import { answerTo, follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
const running: TestHost[] = [];

async function start(): Promise<TestHost> {
  const kennel = await startHost(folder.home);
  running.push(kennel);
  return kennel;
}

beforeEach(() => {
  folder = newHome();
});
afterEach(async () => {
  for (const kennel of running.splice(0)) await kennel.stop();
  folder.remove();
});

/** The smallest valid PNG. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Takes the port of an address, so that the relay needs another. */
async function occupy(url: string): Promise<net.Server> {
  const squatter = net.createServer().listen(Number(new URL(url).port), '127.0.0.1');
  await once(squatter, 'listening');
  return squatter;
}

function filesBelow(folderPath: string): string[] {
  return readdirSync(folderPath, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('Demo', () => {
  it('uses neither network nor vault before it is chosen', async () => {
    const kennel = await start();
    const view = await kennel.call('host.view', {});
    expect(view).toMatchObject({
      firstRun: true,
      demo: false,
      operator: null,
      relay: { embedded: false, url: null },
    });
    expect(existsSync(path.join(folder.home, 'master.json'))).toBe(false);
    expect(existsSync(path.join(folder.home, 'relay'))).toBe(false);
  });

  it('sets up an encrypted conversation with a supervised agent', async () => {
    const kennel = await start();
    const began = performance.now();
    const demo = await kennel.call('setup.tryDemo', {});
    const { agents } = await kennel.call('agents.list', {});
    expect(agents.map(({ id, dot, scripted }) => ({ id, dot, scripted }))).toEqual([
      { id: 'checker', dot: 'idle', scripted: true },
      { id: 'guide', dot: 'idle', scripted: true },
    ]);
    const guide = agents.find(({ id }) => id === 'guide');
    const question = `@Guide hello, canary-${Date.now()}`;
    const sent = await kennel.call('chat.send', { to: '#general', text: question });
    expect(sent.roomId).toBe(demo.channelId);
    const answer = await answerTo(kennel, sent.roomId, sent.messageId);
    expect(performance.now() - began).toBeLessThan(promised(20_000));
    expect(answer).toMatchObject({ senderSlug: guide?.slug, senderAgent: true, encrypted: true });

    const server = await kennel.call('chat.serverView', { room: sent.roomId, limit: 50 });
    const row = server.rows.find(({ envelopeId }) => envelopeId === sent.messageId);
    expect(row).toMatchObject({ senderSlug: demo.operator, recipients: 3 });
    expect(row?.ciphertext).not.toContain('canary');
    const history = await kennel.call('chat.history', { room: sent.roomId });
    expect(history.messages.filter(({ senderSlug }) => senderSlug === guide?.slug)[0]?.text).toContain(
      'Welcome to Kennel',
    );
    const mine = history.messages.find(({ id }) => id === sent.messageId);
    expect(mine?.text).toBe(question.replace('@Guide', `@${guide?.slug}`));
    expect(mine?.marks.find(({ agentId }) => agentId === 'checker')).toMatchObject({
      state: 'silent',
      reason: 'not_mentioned',
    });
    expect(mine?.marks.find(({ agentId }) => agentId === 'guide')).toMatchObject({
      state: 'done',
      reason: 'mention',
    });
  });

  it('answers what its agents suggest where they suggest it, and what is said to nobody', async () => {
    const kennel = await start();
    await kennel.call('setup.tryDemo', {});
    const { agents } = await kennel.call('agents.list', {});
    const slugOf = (id: string) => agents.find((agent) => agent.id === id)?.slug;
    const ask = async (text: string) => {
      const { roomId, messageId } = await kennel.call('chat.send', { to: '#general', text });
      return answerTo(kennel, roomId, messageId);
    };
    const welcome = await ask('hello');
    expect(welcome.senderSlug).toBe(slugOf('guide'));
    const [suggested = ''] = /`@Guide help`/.exec(welcome.text) ?? [];
    expect((await ask(suggested.replaceAll('`', ''))).text).toContain('Here is everything I know');
    const checked = await ask('@Checker echo mind the gap');
    expect(checked).toMatchObject({ senderSlug: slugOf('checker'), text: 'mind the gap' });
    const { messages } = await kennel.call('chat.history', { room: '#general' });
    const toChecker = messages.find(({ text }) => text.endsWith('echo mind the gap'));
    expect(toChecker?.marks.find(({ agentId }) => agentId === 'guide')).toMatchObject({
      state: 'silent',
      reason: 'not_mentioned',
    });
  });

  it('leaves no plain-text message and no file open to other users on disk (T18, T19)', async () => {
    const kennel = await start();
    await kennel.call('setup.tryDemo', {});
    const canary = 'canary-zw7q-message';
    const sent = await kennel.call('chat.send', { to: 'guide', text: `echo ${canary}` });
    const answer = await answerTo(kennel, sent.roomId, sent.messageId);
    expect(answer.text).toContain(canary);
    for (const file of filesBelow(folder.home)) {
      expect(readFileSync(file).includes(canary), file).toBe(false);
      expect(statSync(file).mode & 0o077, file).toBe(0);
    }
  });

  it('can be requested twice and survives a restart unchanged', async () => {
    const first = await start();
    const [demo, again] = await Promise.all([
      first.call('setup.tryDemo', {}),
      first.call('setup.tryDemo', {}),
    ]);
    expect(again).toEqual(demo);
    const sent = await first.call('chat.send', { to: 'guide', text: 'echo before' });
    await answerTo(first, sent.roomId, sent.messageId);
    const before = await first.call('host.view', {});
    await first.stop();

    const second = await start();
    const after = await second.call('host.view', {});
    expect(after).toMatchObject({ firstRun: false, demo: true, relay: { url: before.relay.url } });
    expect(await second.call('setup.tryDemo', {})).toEqual(demo);
    const history = await second.call('chat.history', { room: sent.roomId });
    expect(history.messages.map(({ text }) => text)).toContain('echo before');
    const next = await second.call('chat.send', { to: 'guide', text: 'echo after' });
    expect((await answerTo(second, next.roomId, next.messageId)).text).toContain('after');
    const general = await second.call('chat.history', { room: '#general' });
    expect(general.messages.filter(({ text }) => text.startsWith('Welcome to Kennel'))).toHaveLength(1);
  });

  it('streams a reply as a draft that the sealed message replaces', async () => {
    const kennel = await start();
    await kennel.call('setup.tryDemo', {});
    const { agents } = await kennel.call('agents.list', {});
    const room = `dm:${agents.find(({ id }) => id === 'guide')?.slug}`;
    const watched = follow<RoomView>(kennel.host, `room:${room}`);
    const sent = await kennel.call('chat.send', { to: 'guide', text: 'help' });
    await until('the answer in the feed', () =>
      watched.state().messages.find((message) => message.threadRootId === sent.messageId),
    );
    await until('the draft to be gone', () => Object.keys(watched.state().drafts).length === 0);
    const answer = watched.state().messages.find((message) => message.threadRootId === sent.messageId);
    const appended = watched.events
      .flatMap((event) => (event.type === 'patch' ? event.ops : []))
      .flatMap((op) => (op.op === 'append' ? [op.text] : []));
    expect(appended.length).toBeGreaterThan(1);
    expect(appended.join('').trim()).toBe(answer?.text.trim());
    expect(watched.state().messages.find(({ id }) => id === sent.messageId)?.delivery).toBe('sent');
    watched.stop();
  });

  it('leaves no files behind when removed, and can be created again', async () => {
    const kennel = await start();
    await kennel.call('setup.tryDemo', {});
    await kennel.call('setup.removeDemo', {});
    expect(await kennel.call('host.view', {})).toMatchObject({ firstRun: true, demo: false, operator: null });
    const left = filesBelow(folder.home).map((file) => path.relative(folder.home, file));
    const about = left.filter(
      (file) => !/^(logs\/|host\.|docker\/shared\/CLAUDE\.md$|daemon\.yml$|cache\/)/.test(file),
    );
    expect(about).toEqual([]);
    await kennel.call('setup.tryDemo', {});
    expect(await kennel.call('host.view', {})).toMatchObject({ firstRun: false, demo: true });
  });

  it('completes a setup interrupted by a crash', async () => {
    const first = await start();
    await first.call('setup.tryDemo', {});
    await first.stop();
    const record = path.join(folder.home, 'demo.json');
    writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), complete: false }));
    rmSync(path.join(folder.home, 'agents', 'checker'), { recursive: true });
    const second = await start();
    await until('the demo', async () => !(await second.call('host.view', {})).firstRun);
    const { agents } = await second.call('agents.list', {});
    expect(agents.map(({ id }) => id)).toEqual(['checker', 'guide']);
    const general = await second.call('chat.history', { room: '#general' });
    expect(general.messages.filter(({ text }) => text.startsWith('Welcome to Kennel'))).toHaveLength(1);
  });

  it('moves to another port if its own is taken, and the agents follow', async () => {
    const first = await start();
    await first.call('setup.tryDemo', {});
    const before = (await first.call('host.view', {})).relay.url ?? '';
    await first.stop();
    const squatter = await occupy(before);
    try {
      const second = await start();
      const after = (await second.call('host.view', {})).relay.url ?? '';
      expect(after).not.toBe(before);
      const detail = await second.call('agents.get', { agent: 'guide' });
      expect(detail.serverUrl).toBe(after);
      expect(readFileSync(path.join(detail.folder, 'agent.yml'), 'utf8')).toContain(after);
      const sent = await second.call('chat.send', { to: 'guide', text: 'echo moved house' });
      expect((await answerTo(second, sent.roomId, sent.messageId)).text).toContain('moved house');
    } finally {
      squatter.close();
    }
  });

  it("keeps the operator's picture after a port change and publishes new ones on the new port", async () => {
    const first = await start();
    await first.call('setup.tryDemo', {});
    const avatar = { base64: png, contentType: 'image/png' };
    expect(await first.call('profile.editOwn', { avatar })).toEqual({ warning: '' });
    const before = (await first.call('host.view', {})).relay.url ?? '';
    await first.stop();
    const squatter = await occupy(before);
    try {
      const second = await start();
      const view = await until('the operator online', async () => {
        const seen = await second.call('host.view', {});
        return seen.operator?.connection === 'online' ? seen : undefined;
      });
      expect(view.relay.url).not.toBe(before);
      expect(view.operator?.avatarUrl).toMatch(new RegExp(`^${view.relay.url}/blobs/`));
      expect(await second.call('profile.own', {})).toMatchObject({
        serverUrl: view.relay.url,
        picture: `data:image/png;base64,${png}`,
      });
      const saved = readFileSync(path.join(folder.home, 'operator', 'operator.json'), 'utf8');
      expect(saved).not.toContain(before);
      expect(await second.call('profile.editOwn', { avatar })).toEqual({ warning: '' });
      expect((await second.call('profile.own', {})).picture).toContain(png);
    } finally {
      squatter.close();
    }
  });
});
