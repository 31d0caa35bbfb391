import { describe, expect, it } from 'vitest';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import type { ChannelId } from '../../contract/room-id.ts';
import { markOwnMentions, mentionedSlugs, mentions } from './mentions.ts';
import { decideTrigger, type TriggerInput } from './triggers.ts';

const base: Omit<TriggerInput, 'message'> = {
  triggers: { on_mention: true, on_dm: true, hold_first_contact: true, channels: {} },
  agentSlug: 'bob-1',
  paused: false,
  senderIsAgent: false,
};
const said = (content: string) => sampleMessage({ content });
const channel = (word: 'all' | 'mention' | 'never') => ({
  triggers: { on_mention: false, on_dm: false, hold_first_contact: true, channels: { ch_1: word } },
});

describe('decideTrigger', () => {
  const table: readonly [string, Partial<TriggerInput> & Pick<TriggerInput, 'message'>, string, number][] = [
    ['a mention', { message: said('hi @bob-1!') }, 'mention', 1],
    ['no mention', { message: said('hi bob-1') }, 'not_mentioned', 3],
    ['a longer slug', { message: said('hi @bob-12') }, 'not_mentioned', 3],
    ['a slug that goes on', { message: said('hi @bob-1-x') }, 'not_mentioned', 3],
    ['an address', { message: said('mail a@bob-1') }, 'not_mentioned', 3],
    ['its own message', { message: { ...said('@bob-1'), senderSlug: 'bob-1' } }, 'own', 1],
    ['a paused agent', { message: said('@bob-1'), paused: true }, 'paused', 1],
    ['a direct message', { message: sampleDm() }, 'dm', 1],
    [
      'a direct message, switched off',
      { message: sampleDm(), triggers: { ...base.triggers, on_dm: false } },
      'dm_off',
      1,
    ],
    [
      'a mention, switched off',
      { message: said('@bob-1'), triggers: { ...base.triggers, on_mention: false } },
      'mention_off',
      1,
    ],
    ['channel all', { message: said('x'), ...channel('all') }, 'channel_all', 3],
    ['channel all, mentioned', { message: said('@bob-1'), ...channel('all') }, 'mention', 1],
    ['channel mention over on_mention off', { message: said('@bob-1'), ...channel('mention') }, 'mention', 1],
    ['channel mention, not mentioned', { message: said('x'), ...channel('mention') }, 'not_mentioned', 3],
    ['channel never', { message: said('@bob-1'), ...channel('never') }, 'channel_never', 1],
    [
      'an agent in a channel set to all',
      { message: said('x'), ...channel('all'), senderIsAgent: true },
      'agent_not_mentioned',
      4,
    ],
    ['an agent that mentions', { message: said('@bob-1'), senderIsAgent: true }, 'mention', 2],
    [
      'T27 agents that do not stop',
      { message: said('@bob-1'), senderIsAgent: true, braked: true },
      'agent_brake',
      2,
    ],
    ['a message of long ago', { message: said('@bob-1'), tooOld: true }, 'too_old', 1],
    ['long ago and not for it', { message: said('x'), tooOld: true }, 'not_mentioned', 3],
    [
      'T27 a person after them',
      { message: said('@bob-1'), senderIsAgent: false, braked: true },
      'mention',
      1,
    ],
    [
      'attachments with a mention',
      {
        message: {
          ...said(''),
          contentType: 'puffo/message+attachments/v1',
          content: { text: 'see @bob-1', attachments: [{ filename: 'a.txt' }] },
        },
      },
      'mention',
      1,
    ],
  ];
  it.each(table)('%s', (_name, change, reason, priority) => {
    const decision = decideTrigger({ ...base, ...change });
    expect(decision).toEqual({
      react: ['mention', 'dm', 'channel_all'].includes(reason),
      reason,
      priority,
    });
  });

  it('ignores a channel id that is a prototype key', () => {
    const message = { ...said('x'), channelId: 'constructor' as ChannelId };
    expect(decideTrigger({ ...base, message }).reason).toBe('not_mentioned');
  });
});

describe('Mentions', () => {
  it('finds whole slugs, each once', () => {
    expect(mentionedSlugs('@a-1, @b-2: @a-1 (@c_3) x@d-4 @ e')).toEqual(['a-1', 'b-2', 'c_3']);
  });
  it('finds mentions next to other scripts and punctuation', () => {
    expect(mentions('やあ@bob-1さん', 'bob-1')).toBe(true);
    expect(mentions('"@bob-1".', 'bob-1')).toBe(true);
  });
  it('marks only mentions of the agent itself', () => {
    expect(markOwnMentions('@bob-1 and @bob-12', 'bob-1')).toBe('@you(bob-1) and @bob-12');
  });
});
