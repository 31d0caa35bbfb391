/** Texts for the reasons why an agent did not answer; an unknown reason is shown as it is. */
import type { HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';

/** Keys of the host's catalogs. */
const silenceTexts = {
  paused: 'why.paused',
  dm: 'why.chose',
  dm_off: 'why.directOff',
  channel_never: 'why.neverHere',
  channel_all: 'why.chose',
  unaddressed: 'why.chose',
  mention: 'why.chose',
  mention_off: 'why.mentionsOff',
  not_mentioned: 'why.notMentioned',
  ambiguous_name: 'why.ambiguousName',
  agent_not_mentioned: 'why.agentDidNotMention',
  first_contact: 'why.notAccepted',
  blocked_sender: 'why.blocked',
  sender_limit: 'why.hourlyLimit',
  too_old: 'why.tooOld',
  agent_brake: 'why.longExchange',
} as const;

export const isReason = (reason: string): reason is keyof typeof silenceTexts =>
  Object.hasOwn(silenceTexts, reason);

/** The reason as a text of the host. */
export const reasonText = (reason: string): HostText =>
  isReason(reason) ? say(silenceTexts[reason]) : reason;

/** Ordinary silence between agents, not worth reporting. */
export const isUsualSilence = (reason: string): boolean =>
  reason === 'agent_not_mentioned' || reason === 'not_mentioned';
