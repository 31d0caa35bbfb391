/**
 * Decides whether an agent reacts to a message, with a reason from a closed list that is stored beside the
 * message. The order of the rules matters: own messages, pause, direct messages, channel overrides, mentions.
 */
import { findMentions, foreignSlugs, mentions, type NamedMember } from '../../contract/mentions.ts';
import type { Triggers } from '../../contract/model.ts';
import type { TriggerDecision } from '../puffo/account-store.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import { messageText } from './message-text.ts';
import { priorityOf } from './priority.ts';

export type TriggerReason =
  | 'own' // the agent wrote it itself
  | 'paused'
  | 'dm'
  | 'dm_off'
  | 'channel_never'
  | 'channel_all'
  | 'mention'
  | 'mention_off'
  | 'unaddressed' // it and the root of its thread address no other member
  | 'not_mentioned'
  | 'ambiguous_name' // it mentions a name that several members have
  | 'agent_not_mentioned' // `channel_all`, but agents must mention the agent to wake it
  | 'first_contact' // a direct message of a person whom the operator has not accepted yet (T9)
  | 'blocked_sender'
  | 'sender_limit' // the sender has used up the answers per hour (T27)
  | 'too_old' // it arrived later than `answer_within_hours` allows
  | 'agent_brake'; // agents have been answering each other for too long

export interface TriggerInput {
  readonly triggers: Triggers;
  readonly agentSlug: string;
  readonly message: Pick<StoredMessage, 'kind' | 'senderSlug' | 'channelId' | 'contentType' | 'content'>;
  readonly paused: boolean;
  readonly senderIsAgent: boolean;
  /** Operator's decision about the sender; absent counts as known. */
  readonly contact?: 'known' | 'unknown' | 'blocked';
  /** Agents have answered each other in this thread for too long (T27). */
  readonly braked?: boolean;
  readonly tooOld?: boolean;
  /** Members of the channel, for mentions by name. */
  readonly members?: readonly NamedMember[];
  /** Root of the thread; `null` if the message starts one, `unknown` if it is not stored here. */
  readonly root?: Pick<StoredMessage, 'senderSlug' | 'contentType' | 'content'> | 'unknown' | null;
}

/** How a text mentions an agent: by slug or unambiguous name, by a name of several members, or not. */
type Mentioned = 'yes' | 'ambiguous' | 'no';

const none: readonly NamedMember[] = [];
const wakes: ReadonlySet<TriggerReason> = new Set(['dm', 'mention', 'channel_all', 'unaddressed']);

export function decideTrigger(input: TriggerInput): TriggerDecision {
  const mentioned = howMentioned(input);
  const direct = input.message.kind === 'dm' || mentioned === 'yes';
  const reason = reasonFor(input, mentioned);
  return {
    react: wakes.has(reason),
    reason,
    priority: priorityOf({ direct, senderIsBot: input.senderIsAgent }),
  };
}

function howMentioned({ message, agentSlug, members = none }: TriggerInput): Mentioned {
  const { text } = messageText(message);
  if (mentions(text, agentSlug)) return 'yes';
  const found = findMentions(text, members).filter(({ slugs }) => slugs.includes(agentSlug));
  if (found.some(({ slugs }) => slugs.length === 1)) return 'yes';
  return found.length === 0 ? 'no' : 'ambiguous';
}

/** True if neither the message nor the root of its thread is addressed to, or written by, another member. */
function isUnaddressed(input: TriggerInput): boolean {
  const { message, agentSlug, members = none, root = null } = input;
  if (input.senderIsAgent || root === 'unknown') return false;
  const { text } = messageText(message);
  if (findMentions(text, members).length > 0 || foreignSlugs(text, members).length > 0) return false;
  if (root === null || root.senderSlug === agentSlug) return true;
  if (root.senderSlug !== message.senderSlug) return false;
  const rootText = messageText(root).text;
  return (
    findMentions(rootText, members).every(({ slugs }) => slugs.includes(agentSlug)) &&
    foreignSlugs(rootText, members).every((slug) => slug === agentSlug)
  );
}

function reasonFor(input: TriggerInput, mentioned: Mentioned): TriggerReason {
  if (input.message.senderSlug === input.agentSlug) return 'own';
  if (input.paused) return 'paused';
  const reason = input.message.kind === 'dm' ? dmReason(input) : channelReason(input, mentioned);
  const reacts = wakes.has(reason);
  if (reacts && input.contact === 'blocked') return 'blocked_sender';
  if (reacts && input.tooOld === true) return 'too_old';
  if (reason === 'dm' && input.contact === 'unknown') return 'first_contact';
  if (reacts && input.senderIsAgent && input.braked === true) return 'agent_brake';
  return reason;
}

function dmReason(input: TriggerInput): TriggerReason {
  return input.triggers.on_dm ? 'dm' : 'dm_off';
}

function channelReason(input: TriggerInput, mentioned: Mentioned): TriggerReason {
  const channels = input.triggers.channels;
  const id = input.message.channelId;
  const override = id !== null && Object.hasOwn(channels, id) ? channels[id] : undefined;
  const unmentioned = mentioned === 'ambiguous' ? 'ambiguous_name' : 'not_mentioned';
  switch (override) {
    case 'never':
      return 'channel_never';
    case 'mention':
      return mentioned === 'yes' ? 'mention' : unmentioned;
    case 'unaddressed':
      if (mentioned === 'yes') return 'mention';
      return isUnaddressed(input) ? 'unaddressed' : unmentioned;
    case 'all':
      if (mentioned === 'yes') return 'mention';
      return input.senderIsAgent ? 'agent_not_mentioned' : 'channel_all';
    case undefined:
      if (mentioned !== 'yes') return unmentioned;
      return input.triggers.on_mention ? 'mention' : 'mention_off';
  }
}
