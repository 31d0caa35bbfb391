import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalAnswer } from '../../src/contract/approvals.ts';
import type { RoomView } from '../../src/contract/model.ts';
import { toolHelp } from '../../src/language/english/tool-help.ts';
import { englishText } from '../../src/language/host-message.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { type DemoHost, eachTestWithDemo } from './demo-rig.ts';
import { answerTo, follow, type TestHost, until } from './host-rig.ts';

let home: DemoHost['home'];
let restart: DemoHost['restart'];
let kennel: TestHost;
let guide: string;

eachTestWithDemo((demo) => {
  ({ home, kennel, guide, restart } = demo);
});

const workspace = (name: string): string => path.join(home.home, 'agents', 'guide', 'workspace', name);
const say = (text: string) => kennel.call('chat.send', { to: 'guide', text });
const waiting = async (): Promise<readonly Approval[]> => (await kennel.call('approvals.list', {})).approvals;
const question = (): Promise<Approval> => until('a question', async () => (await waiting())[0]);
const decide = ({ id, digest }: Approval, answer: ApprovalAnswer) =>
  kennel.call('approvals.decide', { id, digest, answer, surface: 'terminal' });
const guideNow = async () => (await kennel.call('agents.list', {})).agents.find(({ id }) => id === 'guide');
const idle = () => until('an idle guide', async () => (await guideNow())?.dot === 'idle');

describe('Agent that asks', () => {
  it('writes the file once allowed in the terminal, and shows its steps', async () => {
    const { messageId } = await say('write hello.md');
    const approval = await question();
    expect(approval).toMatchObject({ agentId: 'guide', subject: 'write_file', risk: 'medium' });
    expect(existsSync(workspace('hello.md'))).toBe(false);
    expect(await guideNow()).toMatchObject({ dot: 'needs_you', waiting: 1 });
    expect(englishText((await guideNow())?.activity ?? '')).toMatch(/^waiting for you: writing hello\.md/);
    await decide(approval, { type: 'allow', scope: 'once' });
    const answer = await answerTo(kennel, guide, messageId);
    expect(readFileSync(workspace('hello.md'), 'utf8')).toContain('# hello');
    expect(answer?.text).toContain('hello.md');
    const steps = await until('the steps', async () => {
      const shown = await answerTo(kennel, guide, messageId);
      return shown && shown.steps.length > 0 && shown.steps;
    });
    expect(inEnglish(steps)).toMatchObject([{ tool: 'write_file', state: 'done', title: 'wrote hello.md' }]);
  });

  it('answers a denial and writes nothing', async () => {
    const { messageId } = await say('write hello.md');
    await decide(await question(), { type: 'deny', reason: 'not today' });
    const answer = await answerTo(kennel, guide, messageId);
    expect(answer?.text).toMatch(/no.*not today/s);
    expect(existsSync(workspace('hello.md'))).toBe(false);
  });

  it('accepts the answer in the thread of its question', async () => {
    const { messageId } = await say('write hello.md');
    await question();
    const asked = await until('the question in the chat', async () => {
      const { messages } = await kennel.call('chat.history', { room: guide, limit: 50 });
      return messages.find(({ text, own }) => !own && text.includes('May I?'));
    });
    await kennel.call('chat.send', { to: guide, text: 'y', threadRootId: asked.id });
    const answer = await answerTo(kennel, guide, messageId);
    expect(answer?.text).toContain('hello.md');
    expect(existsSync(workspace('hello.md'))).toBe(true);
    // The answer was for the host: the agent has not seen it as a message.
    const { messages } = await kennel.call('chat.history', { room: guide, limit: 50 });
    expect(messages.filter(({ threadRootId, own }) => threadRootId === asked.id && !own)).toEqual([]);
  });

  it('F25 keeps its question over a restart: asked once, and the answer counts', async () => {
    const { messageId } = await say('write hello.md');
    const before = await question();
    await kennel.stop();
    kennel = await restart();
    const after = await question();
    expect(after).toMatchObject({ id: before.id, digest: before.digest });
    await decide(after, { type: 'allow', scope: 'once' });
    const answer = await answerTo(kennel, guide, messageId);
    expect(answer?.text).toContain('hello.md');
    expect(existsSync(workspace('hello.md'))).toBe(true);
    const { approvals } = await kennel.call('approvals.list', { state: 'all' });
    expect(approvals).toHaveLength(1);
    const { messages } = await kennel.call('chat.history', { room: guide, limit: 50 });
    expect(messages.filter(({ text }) => text.includes('May I?'))).toHaveLength(1);
  });

  it('shows each step while it works', async () => {
    const room = follow<RoomView>(kennel.host, `room:${guide}`);
    await say('list');
    await until('a step in the draft', () =>
      Object.values(room.state().drafts).some(({ steps }) => steps.some(({ tool }) => tool === 'list_dir')),
    );
    await idle();
    room.stop();
  });
});

describe('Agent that writes to others', () => {
  it('asks before it writes to another agent, and sends the message once', async () => {
    const checker = (await kennel.call('agents.get', { agent: 'checker' })).slug ?? '';
    const { messageId } = await say(`tell ${checker} echo good morning`);
    const approval = await question();
    expect(approval).toMatchObject({ subject: 'send_message' });
    await decide(approval, { type: 'allow', scope: 'once' });
    const answer = await answerTo(kennel, guide, messageId);
    expect(answer?.steps).toMatchObject([{ tool: 'send_message', state: 'done' }]);
  });
});

describe('Steering and stop', () => {
  it('a message during work reaches the turn between two steps and is answered once', async () => {
    const first = await say('work 40');
    await until('work', async () => (await guideNow())?.dot === 'working');
    await until('a step', async () =>
      /listing|looking|using/.test(englishText((await guideNow())?.activity ?? '')),
    );
    const second = await say('echo enough');
    const answer = await answerTo(kennel, guide, second.messageId);
    expect(answer?.text).toContain('enough');
    await idle();
    const { messages } = await kennel.call('chat.history', { room: guide, limit: 50 });
    const answers = messages.filter(({ own, threadRootId }) => !own && threadRootId !== null);
    expect(answers).toHaveLength(1);
    const marks = (id: string) => messages.find((message) => message.id === id)?.marks[0]?.state;
    expect([marks(first.messageId), marks(second.messageId)]).toEqual(['done', 'done']);
  });

  it('"stop" in the chat ends the turn; nothing is sent and the next message is answered', async () => {
    const slow = await say('slow');
    await until('work', async () => (await guideNow())?.dot === 'working');
    await say('stop');
    await idle();
    const after = await say('echo still here');
    expect((await answerTo(kennel, guide, after.messageId))?.text).toBe('still here');
    const { messages } = await kennel.call('chat.history', { room: guide, limit: 50 });
    expect(messages.filter(({ threadRootId }) => threadRootId === slow.messageId)).toEqual([]);
    const mark = messages.find(({ id }) => id === slow.messageId)?.marks[0];
    expect(mark).toMatchObject({ state: 'silent', reason: { key: 'turns.stoppedByYou' } });
  });

  it('agents.stop ends a turn that waits for an answer, and withdraws the question', async () => {
    await say('write hello.md');
    await question();
    await kennel.call('agents.stop', { agent: 'guide' });
    await until('no question', async () => (await waiting()).length === 0);
    await idle();
    expect(existsSync(workspace('hello.md'))).toBe(false);
    expect(await kennel.tryCall('agents.stop', { agent: 'guide' })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
  });
});

describe('An answer asked for again', () => {
  it('follows a failed one and a finished one, and is refused while none has ended', async () => {
    const failed = await say('fail');
    const markOf = async (id: string) => {
      const { messages } = await kennel.call('chat.history', { room: guide, limit: 50 });
      return messages.find((message) => message.id === id)?.marks[0]?.state;
    };
    await until('the failure', async () => (await markOf(failed.messageId)) === 'failed');
    const again = { agent: 'guide', message: failed.messageId };
    await until('its end', async () => (await kennel.tryCall('chat.answerAgain', again)).ok);
    const busy = await say('work 3');
    const early = await kennel.tryCall('chat.answerAgain', { agent: 'guide', message: busy.messageId });
    expect(early).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await answerTo(kennel, guide, busy.messageId);
    const asked = await say('echo twice');
    await answerTo(kennel, guide, asked.messageId);
    await until('the mark', async () => (await markOf(asked.messageId)) === 'done');
    await kennel.call('chat.answerAgain', { agent: 'guide', message: asked.messageId });
    await until('two answers', async () => {
      const { messages } = await kennel.call('chat.history', { room: guide, limit: 50 });
      return messages.filter(({ own, text }) => !own && text === 'twice').length === 2;
    });
    expect(await markOf(asked.messageId)).toBe('done');
  });
});

describe('Agent tools', () => {
  it('are listed as available or not, and changed in agent.yml', async () => {
    const shown = await kennel.call('agents.tools', { agent: 'guide' });
    expect(shown.available.find(({ name }) => name === 'write_file')).toMatchObject({ offered: true });
    const unexplained = shown.available.filter(({ name }) => !Object.hasOwn(toolHelp, name));
    expect(unexplained.map(({ name }) => name)).toEqual([]);
    expect(shown.roots.writable).toEqual([path.join(home.home, 'agents', 'guide', 'workspace')]);
    await kennel.call('agents.setTools', {
      agent: 'guide',
      tools: { allow: [], alsoAllow: [], deny: ['write_file'] },
      arrival: 'follow_up',
    });
    const changed = await kennel.call('agents.tools', { agent: 'guide' });
    expect(changed).toMatchObject({ arrival: 'follow_up', tools: { deny: ['write_file'] } });
    expect(changed.available.find(({ name }) => name === 'write_file')?.offered).toBe(false);
    const { messageId } = await say('write hello.md');
    expect((await answerTo(kennel, guide, messageId))?.text).toContain('do not have it');
  });
});
