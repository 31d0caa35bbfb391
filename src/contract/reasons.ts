/** Reasons why an agent did not answer, with their keys in the catalogs of the host. */
export const silenceTexts = {
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

export const isReason = (reason: unknown): reason is keyof typeof silenceTexts =>
  typeof reason === 'string' && Object.hasOwn(silenceTexts, reason);

/** Ordinary silence between agents, not worth reporting. */
export const isUsualSilence = (reason: unknown): boolean =>
  reason === 'agent_not_mentioned' || reason === 'not_mentioned';
