import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import type { RoomView } from '../../src/contract/model.ts';
import { englishText } from '../../src/language/host-message.ts';
import { answerTo, follow, newDemoHome, type newHome, startHost, type TestHost, until } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;
let guide: { readonly slug: string; readonly room: string };
let general: string;

beforeEach(async () => {
  home = await newDemoHome();
  kennel = await startHost(home.home);
  await kennel.call('setup.tryDemo', {});
  const slug = (await kennel.call('agents.get', { agent: 'guide' })).slug ?? '';
  guide = { slug, room: `dm:${slug}` };
  general = '#general';
});
afterEach(async () => {
  await kennel.stop();
  home.remove();
});

const workspace = (name: string): string => path.join(home.home, 'agents', 'guide', 'workspace', name);
const say = (text: string) => kennel.call('chat.send', { to: 'guide', text });
const inGeneral = (text: string) => kennel.call('chat.send', { to: general, text: `@${guide.slug} ${text}` });
const waiting = async (): Promise<readonly Approval[]> => (await kennel.call('approvals.list', {})).approvals;
const about = (file: string): Promise<Approval> =>
  until(`the question about ${file}`, async () =>
    (await waiting()).find(({ title }) => englishText(title).includes(file)),
  );
const allow = ({ id, digest }: Approval) =>
  kennel.call('approvals.decide', {
    id,
    digest,
    surface: 'terminal',
    answer: { type: 'allow', scope: 'once' },
  });
const guideNow = async () => (await kennel.call('agents.list', {})).agents.find(({ id }) => id === 'guide');
const idle = () => until('an idle guide', async () => (await guideNow())?.dot === 'idle');
const markOf = async (room: string, id: string) => {
  const { messages } = await kennel.call('chat.history', { room, limit: 50 });
  return messages.find((one) => one.id === id)?.marks.find(({ agentId }) => agentId === 'guide')?.state;
};

describe('Agent that waits for the operator', () => {
  it('answers in other rooms meanwhile, and continues after approval', async () => {
    const direct = follow<RoomView>(kennel.host, `room:${guide.room}`);
    const first = await say('write hello.md');
    const approval = await about('hello.md');
    const second = await inGeneral('echo good morning');
    expect((await answerTo(kennel, general, second.messageId))?.text).toContain('good morning');
    expect(existsSync(workspace('hello.md'))).toBe(false);
    const now = await until('what waits', async () => {
      const shown = await guideNow();
      return /^waiting for you/.test(englishText(shown?.activity ?? '')) && shown;
    });
    expect(now).toMatchObject({ dot: 'needs_you', waiting: 1 });
    expect((await kennel.call('host.view', {})).waiting, 'one approval, one item of the queue').toBe(1);
    expect(await markOf(guide.room, first.messageId)).toBe('working');
    expect(await markOf(general, second.messageId)).toBe('done');
    const drafts = Object.values(direct.state().drafts);
    expect(drafts.flatMap(({ steps }) => steps.map(({ state }) => state))).toEqual(['waiting']);
    await allow(approval);
    expect((await answerTo(kennel, guide.room, first.messageId))?.text).toContain('hello.md');
    expect(existsSync(workspace('hello.md'))).toBe(true);
    await idle();
    expect(await guideNow()).toMatchObject({ activity: '', waiting: 0 });
    direct.stop();
  });

  it('"stop" ends only the turn of its own thread, not one that waits elsewhere', async () => {
    const first = await say('write hello.md');
    const approval = await about('hello.md');
    await inGeneral('write other.md');
    await about('other.md');
    await say('stop');
    await until('one question less', async () => (await waiting()).length === 1);
    expect(englishText((await waiting())[0]?.title ?? '')).toContain('other.md');
    await until('the mark', async () => (await markOf(guide.room, first.messageId)) === 'silent');
    expect(await kennel.tryCall('approvals.get', { id: approval.id })).toMatchObject({
      value: { approval: { state: 'cancelled' } },
    });
    await kennel.call('agents.stop', { agent: 'guide' });
    await until('no question', async () => (await waiting()).length === 0);
    await idle();
    expect([workspace('hello.md'), workspace('other.md')].map((file) => existsSync(file))).toEqual([
      false,
      false,
    ]);
  });

  it('agents.stop with a turn ends only that one of two that wait', async () => {
    await say('write hello.md');
    await about('hello.md');
    const second = await inGeneral('write other.md');
    await about('other.md');
    const { turns } = await kennel.call('work.turns', { agent: 'guide', states: ['waiting'] });
    const turn = turns.find(({ rootId }) => rootId === second.messageId)?.id ?? '';
    expect(turns.map(({ waits }) => waits.map(({ to }) => to))).toEqual([[null], [null]]);
    expect(await kennel.tryCall('agents.stop', { agent: 'checker', turn })).toMatchObject({ ok: false });
    await kennel.call('agents.stop', { agent: 'guide', turn });
    await until('one question less', async () => (await waiting()).length === 1);
    expect(englishText((await waiting())[0]?.title ?? '')).toContain('hello.md');
    await until('the mark', async () => (await markOf(general, second.messageId)) === 'silent');
    expect(await kennel.tryCall('agents.stop', { agent: 'guide', turn })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    await allow(await about('hello.md'));
    await until('hello.md', () => existsSync(workspace('hello.md')));
    await idle();
  });

  it('F25 two questions survive restarts of host and agent: each is asked once and answered', async () => {
    const first = await say('write hello.md');
    await about('hello.md');
    const second = await inGeneral('write other.md');
    const asked = [await about('hello.md'), await about('other.md')].map(({ id }) => id);
    await kennel.stop();
    kennel = await startHost(home.home);
    await until('both to wait again', async () => (await guideNow())?.waiting === 2);
    await kennel.call('agents.restart', { agent: 'guide' });
    await until('it to run again', async () => (await guideNow())?.connection === 'online');
    await allow(await about('other.md'));
    await until('the mark', async () => (await markOf(general, second.messageId)) === 'done');
    expect(await markOf(guide.room, first.messageId)).toBe('working');
    await allow(await about('hello.md'));
    await until('the mark', async () => (await markOf(guide.room, first.messageId)) === 'done');
    expect([workspace('hello.md'), workspace('other.md')].map((file) => existsSync(file))).toEqual([
      true,
      true,
    ]);
    const { approvals } = await kennel.call('approvals.list', { state: 'all' });
    expect(approvals.map(({ id }) => id).toSorted()).toEqual(asked.toSorted());
    await idle();
  }, 60_000);
});
