import { describe, expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { ChannelId } from '../../contract/room-id.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import { introductionPrompt } from '../../core/agents/introduction.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { createIntroductions } from './introductions.ts';

const channel = { spaceId: 'sp_1', channelId: 'ch_1' } as const;
const space = { spaceId: 'sp_1', channelId: null } as const;

function rig(yaml: object = {}, store = createMemoryAccountStore('guide-0001')) {
  const clock = createVirtualClock();
  const prompts: StoredMessage[] = [];
  const server: { channel: ChannelId | null; asked: number[] } = { channel: 'ch_general', asked: [] };
  const introductions = createIntroductions({
    store,
    clock,
    log: createRecordingLog(),
    config: () => agentConfigSchema().parse({ puffo_core: { space_id: 'sp_home' }, ...yaml }),
    publicChannel: async () => {
      server.asked.push(clock.monotonic());
      return server.channel;
    },
    prompt: (channel) =>
      prompts.push(...store.accept([introductionPrompt(createNobleEngine(), 'guide-0001', channel)])),
  });
  return { introductions, clock, prompts, server, store };
}

describe('Introduction of an invited agent', () => {
  it('is prompted in the channel by a message without a root on the server', async () => {
    const { introductions, clock, prompts, store } = rig();
    introductions.joined(channel);
    await clock.advance(0);
    const [prompt] = prompts;
    expect(prompt).toMatchObject({ channelId: 'ch_1', spaceId: 'sp_1', senderSlug: 'system' });
    expect(prompt?.envelopeId).toMatch(/^intro-prompt-[0-9a-f]{32}$/);
    expect(prompt?.threadRootId).toBe(prompt?.envelopeId);
    expect(store.decision(prompt?.envelopeId ?? '')).toMatchObject({
      react: true,
      priority: 5,
      status: 'open',
    });
  });

  it('is prompted in the first public channel of a space, with retries until one exists', async () => {
    const { introductions, clock, prompts, server } = rig();
    server.channel = null;
    introductions.joined(space);
    await clock.advance(10_600);
    expect(server.asked).toEqual([500, 1_500, 4_500, 10_500]);
    server.channel = 'ch_general';
    await clock.advance(60_000);
    expect(server.asked).toHaveLength(5);
    expect(prompts.map(({ channelId }) => channelId)).toEqual(['ch_general']);
  });

  it('is given up after seven tries and leaves no state', async () => {
    const { introductions, clock, prompts, server, store } = rig();
    server.channel = null;
    introductions.joined(space);
    await clock.advance(300_000);
    expect(server.asked).toHaveLength(7);
    expect(prompts).toEqual([]);
    expect(store.getValue('introductions_due')).toBe('[]');
  });

  it('is prompted once per channel, also after a second invitation or a restart', async () => {
    const first = rig();
    first.server.channel = 'ch_1';
    first.introductions.joined(channel);
    first.introductions.joined(channel);
    first.introductions.joined(space);
    await first.clock.advance(60_000);
    expect(first.prompts).toHaveLength(1);
    const next = rig({}, first.store);
    next.introductions.joined(channel);
    await next.clock.advance(60_000);
    expect(next.prompts).toEqual([]);
  });

  it('F1: continues after a restart', async () => {
    const first = rig();
    first.server.channel = null;
    first.introductions.joined(space);
    await first.clock.advance(5_000);
    first.introductions.stop();
    await first.clock.advance(100_000);
    const next = rig({}, first.store);
    next.introductions.resume();
    await next.clock.advance(1_000);
    expect(next.prompts).toHaveLength(1);
  });

  it.each([
    ['its settings say no', { introduce: false }, channel],
    ['it is told to stay out of the channel', { triggers: { channels: { ch_1: 'never' } } }, channel],
    [
      'the channel of the space is one that it stays out of',
      { triggers: { channels: { ch_general: 'never' } } },
      space,
    ],
    ['the space is the one it was made in', {}, { spaceId: 'sp_home', channelId: null } as const],
  ])('is skipped if %s', async (_why, yaml, joined) => {
    const { introductions, clock, prompts } = rig(yaml);
    introductions.joined(joined);
    await clock.advance(100_000);
    expect(prompts).toEqual([]);
  });
});
