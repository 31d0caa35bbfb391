import { describe, expect, it } from 'vitest';
import { sampleDm, sampleMessage } from '../../../test/fakes/message-samples.ts';
import type { ChannelTrigger } from '../../contract/model.ts';
import type { ChannelId } from '../../contract/room-id.ts';
import { decideTrigger, type TriggerInput } from './triggers.ts';

const base: Omit<TriggerInput, 'message'> = {
  triggers: { on_mention: true, on_dm: true, hold_first_contact: true, channels: {} },
  agentSlug: 'bob-1',
  paused: false,
  senderIsAgent: false,
};
const said = (content: string) => sampleMessage({ content });
const crew = [
  { slug: 'bob-1', displayName: 'Bob' },
  { slug: 'ada-2', displayName: 'Ada' },
];
const channel = (word: ChannelTrigger) => ({
  members: crew,
  triggers: { on_mention: false, on_dm: false, hold_first_contact: true, channels: { ch_1: word } },
});

describe('decideTrigger', () => {
  const table: readonly [string, Partial<TriggerInput> & Pick<TriggerInput, 'message'>, string, number][] = [
    ['a mention', { message: said('hi @bob-1!') }, 'mention', 1],
    ['no mention', { message: said('hi bob-1') }, 'not_mentioned', 3],
    ['its name', { message: said('@Bob please'), members: crew }, 'mention', 1],
    ['a name of another member', { message: said('@Ada please'), members: crew }, 'not_mentioned', 3],
    [
      'T9 a name that two members have',
      { message: said('@Bob please'), members: [...crew, { slug: 'mallory-3', displayName: 'bob' }] },
      'ambiguous_name',
      3,
    ],
    ['T27 its slug in code', { message: said('log: `@bob-1 failed`') }, 'not_mentioned', 3],
    [
      'a message with a slug in code only',
      { message: said('```\n@ada-2\n```\nhelp'), ...channel('unaddressed') },
      'unaddressed',
      3,
    ],
    ['its name in code', { message: said('`@Bob please`'), members: crew }, 'not_mentioned', 3],
    ['a message to nobody', { message: said('hello'), ...channel('unaddressed') }, 'unaddressed', 3],
    [
      'a message to another member',
      { message: said('@Ada hi'), ...channel('unaddressed') },
      'not_mentioned',
      3,
    ],
    [
      'a reply in the thread of another member',
      { message: said('help'), ...channel('unaddressed'), root: { ...said('hi'), senderSlug: 'ada-2' } },
      'not_mentioned',
      3,
    ],
    [
      'a reply in its own thread',
      { message: said('help'), ...channel('unaddressed'), root: { ...said('hi'), senderSlug: 'bob-1' } },
      'unaddressed',
      3,
    ],
    [
      'a reply below a message to another member',
      { message: said('help'), ...channel('unaddressed'), root: said('@ada-2 hi') },
      'not_mentioned',
      3,
    ],
    [
      'a message to a member not known yet',
      { message: said('@ada-2 hi'), ...channel('unaddressed'), members: [] },
      'not_mentioned',
      3,
    ],
    [
      'a message to a name not known yet',
      { message: said('@Ada hi'), ...channel('unaddressed'), members: [] },
      'not_mentioned',
      3,
    ],
    [
      'a message to a member whose name is not known yet',
      {
        message: said('@Ada hi'),
        ...channel('unaddressed'),
        members: [crew[0], { slug: 'ada-2', displayName: 'ada-2' }].flatMap((one) => one ?? []),
      },
      'not_mentioned',
      3,
    ],
    [
      'a message to somebody who has left',
      { message: said('@eve-0a1b hi'), ...channel('unaddressed') },
      'not_mentioned',
      3,
    ],
    ['a package name', { message: said('npm i @angular/core'), ...channel('unaddressed') }, 'unaddressed', 3],
    [
      'a reply below a message to a member not known yet',
      { message: said('help'), ...channel('unaddressed'), members: [], root: said('@ada-2 hi') },
      'not_mentioned',
      3,
    ],
    [
      'a reply below a message to the agent',
      { message: said('help'), ...channel('unaddressed'), members: [], root: said('@bob-1 hi') },
      'unaddressed',
      3,
    ],
    [
      'a reply in a thread whose root is unknown',
      { message: said('help'), ...channel('unaddressed'), root: 'unknown' },
      'not_mentioned',
      3,
    ],
    [
      'an agent in a channel set to unaddressed',
      { message: said('hello'), ...channel('unaddressed'), senderIsAgent: true },
      'not_mentioned',
      4,
    ],
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
  it.each(table)('decides about: %s', (_name, change, reason, priority) => {
    const decision = decideTrigger({ ...base, ...change });
    expect(decision).toEqual({
      react: ['mention', 'dm', 'channel_all', 'unaddressed'].includes(reason),
      reason,
      priority,
    });
  });

  it('ignores a channel id that is a prototype key', () => {
    const message = { ...said('x'), channelId: 'constructor' as ChannelId };
    expect(decideTrigger({ ...base, message }).reason).toBe('not_mentioned');
  });
});
