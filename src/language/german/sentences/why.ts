import type { HostSentences } from '../../host-sentences.ts';

/** Explains how an agent treated a message, without the leading name, and why a brake paused two agents. */
export const whySentences: HostSentences = {
  'The agent chose not to answer.': 'Der Agent wollte nicht antworten.',
  'The agent sent its messages itself.': 'Der Agent hat seine Nachrichten selbst gesendet.',
  'The turn is over.': 'Die Runde ist vorbei.',
  'The answer failed.': 'Die Antwort ist misslungen.',
  'Kennel stopped in the middle of this turn and went on from what was recorded.':
    'Kennel endete mitten in dieser Runde und machte mit dem weiter, was aufgezeichnet war.',
  'Kennel was stopped; the message is taken up again at the next start.':
    'Kennel wurde beendet; die Nachricht wird beim nächsten Start wieder aufgenommen.',
};
