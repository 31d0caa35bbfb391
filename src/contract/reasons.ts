/** Texts for the reasons why an agent did not answer; an unknown reason is shown as it is. */

export const silenceReasons = {
  paused: 'it is paused',
  dm: 'it chose not to answer',
  dm_off: 'it does not answer direct messages',
  channel_never: 'it does not answer in this room',
  channel_all: 'it chose not to answer',
  unaddressed: 'it chose not to answer',
  mention: 'it chose not to answer',
  mention_off: 'it does not answer mentions',
  not_mentioned: 'it wasn’t mentioned',
  ambiguous_name: 'several members have the name that was mentioned',
  agent_not_mentioned: 'another agent wrote this and didn’t mention it',
  first_contact: 'you have not accepted the sender yet',
  blocked_sender: 'you have blocked the sender',
  sender_limit: 'the sender has reached the hourly limit',
  too_old: 'the message is older than its settings allow',
  agent_brake: 'paused after a long exchange between agents. Write something to continue',
} as const;

export const isReason = (reason: string): reason is keyof typeof silenceReasons =>
  Object.hasOwn(silenceReasons, reason);

export const reasonWords = (reason: string): string => (isReason(reason) ? silenceReasons[reason] : reason);

/** Ordinary silence between agents, not worth reporting. */
export const isUsualSilence = (reason: string): boolean =>
  reason === 'agent_not_mentioned' || reason === 'not_mentioned';
