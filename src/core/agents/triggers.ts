/**
 * Decides whether an agent reacts to a message, with a reason from a closed list that is stored beside the
 * message. The order of the rules matters: own messages, pause, direct messages, channel overrides, mentions.
 */
import type { Triggers } from '../../contract/model.ts';
import type { TriggerDecision } from '../puffo/account-store.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import { mentions } from './mentions.ts';
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
  | 'not_mentioned'
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
}

export function decideTrigger(input: TriggerInput): TriggerDecision {
  const mentioned = mentions(messageText(input.message).text, input.agentSlug);
  const direct = input.message.kind === 'dm' || mentioned;
  const reason = reasonFor(input, mentioned);
  return {
    react: reason === 'dm' || reason === 'mention' || reason === 'channel_all',
    reason,
    priority: priorityOf({ direct, senderIsBot: input.senderIsAgent }),
  };
}

function reasonFor(input: TriggerInput, mentioned: boolean): TriggerReason {
  if (input.message.senderSlug === input.agentSlug) return 'own';
  if (input.paused) return 'paused';
  const reason = input.message.kind === 'dm' ? dmReason(input) : channelReason(input, mentioned);
  const reacts = reason === 'dm' || reason === 'mention' || reason === 'channel_all';
  if (reacts && input.contact === 'blocked') return 'blocked_sender';
  if (reacts && input.tooOld === true) return 'too_old';
  if (reason === 'dm' && input.contact === 'unknown') return 'first_contact';
  if (reacts && input.senderIsAgent && input.braked === true) return 'agent_brake';
  return reason;
}

function dmReason(input: TriggerInput): TriggerReason {
  return input.triggers.on_dm ? 'dm' : 'dm_off';
}

function channelReason(input: TriggerInput, mentioned: boolean): TriggerReason {
  const channels = input.triggers.channels;
  const id = input.message.channelId;
  const override = id !== null && Object.hasOwn(channels, id) ? channels[id] : undefined;
  switch (override) {
    case 'never':
      return 'channel_never';
    case 'mention':
      return mentioned ? 'mention' : 'not_mentioned';
    case 'all':
      if (mentioned) return 'mention';
      return input.senderIsAgent ? 'agent_not_mentioned' : 'channel_all';
    case undefined:
      if (!mentioned) return 'not_mentioned';
      return input.triggers.on_mention ? 'mention' : 'mention_off';
  }
}
