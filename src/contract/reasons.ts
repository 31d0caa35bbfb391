/** Texts for the reasons why an agent did not answer; an unknown reason is shown as it is. */

export const reasons = {
  paused: 'it is paused',
  dm: 'it chose to say nothing',
  dm_off: 'it does not answer direct messages',
  channel_never: 'it is told to stay out of this room',
  channel_all: 'it chose to say nothing',
  mention: 'it chose to say nothing',
  mention_off: 'it does not answer mentions',
  not_mentioned: 'it was not mentioned',
  agent_not_mentioned: 'another agent wrote this and did not mention it',
  first_contact: 'you have not accepted the sender yet',
  blocked_sender: 'you have blocked the sender',
  sender_limit: 'the sender has written more in an hour than it answers',
  too_old: 'it came later than its settings let it answer',
  agent_brake: 'agents have talked among themselves long enough. Write something and they go on',
} as const;

export const isReason = (reason: string): reason is keyof typeof reasons => Object.hasOwn(reasons, reason);

export const reasonWords = (reason: string): string => (isReason(reason) ? reasons[reason] : reason);

/** Ordinary silence between agents, not worth reporting. */
export const isUsualSilence = (reason: string): boolean =>
  reason === 'agent_not_mentioned' || reason === 'not_mentioned';
