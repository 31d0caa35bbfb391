export const cliContacts = {
  accepted: 'Your agents answer {slug} from now on. {released} {released|message|messages} had waited.',
  answerWith: 'Answer with "kennel contacts accept SLUG" or "kennel contacts block SLUG".',
  blocked: 'Your agents no longer answer {slug}. {slug} is not notified.',
  forgotten: 'You are asked again when {slug} writes to an agent.',
  none: 'No person is waiting, and you have not accepted or blocked anyone.',
  state_accepted: 'accepted',
  state_blocked: 'blocked',
  waiting:
    '{slug}  waits for your decision; {messages} {messages|message|messages} held by {agents}  ({server})',
} as const;
