import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/contract/model.ts';
import { newDemoHome, type newHome, startHost, type TestHost, until } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;
let channel: string;

beforeEach(async () => {
  home = await newDemoHome();
  kennel = await startHost(home.home);
  channel = (await kennel.call('setup.tryDemo', {})).channelId;
});
afterEach(async () => {
  await kennel.stop();
  home.remove();
});

const slugOf = async (agent: string): Promise<string> =>
  (await kennel.call('agents.get', { agent })).slug ?? '';
const thread = async (root: string): Promise<readonly ChatMessage[]> => {
  const { messages } = await kennel.call('chat.history', { room: channel, limit: 200 });
  return messages.filter(({ threadRootId }) => threadRootId === root);
};
const rounds = async (root: string): Promise<number> =>
  (await thread(root)).filter(({ text, senderAgent }) => senderAgent && /round \d/.test(text)).length;
const brakes = async () => (await kennel.call('brake.list', {})).brakes;

/** Makes Guide and Checker answer each other; resolves when the brake stops one of them. */
async function setOnEachOther(): Promise<string> {
  const [guide, checker] = [await slugOf('guide'), await slugOf('checker')];
  const { messageId } = await kennel.call('chat.send', {
    to: channel,
    text: `@${guide} ask @${checker} lunch`,
  });
  await until('the brake', async () => (await brakes()).length > 0, 60_000);
  return messageId;
}

describe('Two agents that answer each other', () => {
  it('T27 stop at the turn limit, report it once, and continue for one round on a click', async () => {
    const root = await setOnEachOther();
    const stopped = await rounds(root);
    // Eight agent turns (the default of limits.agent_turns) and the unanswered one.
    expect(stopped).toBeLessThanOrEqual(9);
    const [brake] = await brakes();
    expect(brake).toMatchObject({ roomId: channel, rootId: root, turns: 9 });
    const { brakes: shown } = await kennel.call('host.view', {});
    expect(shown).toEqual([brake]);
    const notices = await until('the notice', async () => {
      const found = (await thread(root)).filter(({ text }) => text.includes('messages in a row'));
      return found.length > 0 && found;
    });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ visible: true });
    await kennel.call('brake.continue', { agent: brake?.agentId ?? '', room: channel, rootId: root });
    await until('another round', async () => (await rounds(root)) > stopped);
    await until('the brake again', async () => (await brakes()).length > 0, 60_000);
    // One click allows a whole round, also for the agent that the brake did not stop.
    expect(await rounds(root)).toBeGreaterThanOrEqual(stopped + 7);
    expect(await rounds(root)).toBeLessThanOrEqual(stopped + 9);
  }, 150_000);

  it('T27 continue when the operator says so in the thread; agents do not process that message', async () => {
    const root = await setOnEachOther();
    const stopped = await rounds(root);
    await kennel.stop();
    kennel = await startHost(home.home);
    await until('the brake after a restart', async () => (await brakes()).length > 0);
    await until('the rooms', async () => {
      const { rooms } = await kennel.call('chat.rooms', {});
      return channel in rooms;
    });
    const { messageId } = await kennel.call('chat.send', {
      to: channel,
      text: 'continue',
      threadRootId: root,
    });
    await until('another round', async () => (await rounds(root)) > stopped, 60_000);
    const said = (await thread(root)).find(({ id }) => id === messageId);
    expect(said?.marks.some(({ state }) => state === 'done')).toBe(false);
  }, 150_000);
});
