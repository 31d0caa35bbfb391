import type { HostSentences } from '../../host-sentences.ts';

/** Explains how an agent treated a message, without the leading name, and why a brake paused two agents. */
export const whySentences: HostSentences = {
  'wrote it.': 'hat sie geschrieben.',
  'is working on it, and waits for your answer.': 'arbeitet daran und wartet auf deine Antwort.',
  'is working on it.': 'arbeitet daran.',
  'took it as your answer to its question.': 'hat sie als Antwort auf seine Frage genommen.',
  'took it as your order to stop.': 'hat sie als deinen Auftrag zum Anhalten genommen.',
  'took it as your leave to go on.': 'hat sie als deine Erlaubnis zum Weitermachen genommen.',
  'took it as your word about its tasks.': 'hat sie als dein Wort zu seinen Aufgaben genommen.',
  'will look at it next.': 'sieht sie sich als Nächstes an.',
  'will look at it next: {=why}.': 'sieht sie sich als Nächstes an: {why}.',
  'answered.': 'hat geantwortet.',
  'answered: {=why}.': 'hat geantwortet: {why}.',
  'did not answer: {=why}.': 'hat nicht geantwortet: {why}.',
  'did not answer: {=why}': 'hat nicht geantwortet: {why}',
  'could not answer: {=why}.': 'konnte nicht antworten: {why}.',
  'could not answer: {=why}': 'konnte nicht antworten: {why}',
  'could not answer: {why}': 'konnte nicht antworten: {why}',
  'no reason was kept': 'ein Grund wurde nicht aufgehoben',
  'it was mentioned': 'er wurde erwähnt',
  'it was written to directly': 'die Nachricht ging direkt an ihn',
  'it has just joined': 'er ist gerade dazugekommen',
  'it answers everything in this room': 'er antwortet in diesem Raum auf alles',
  'holds it back: the identity key of its sender has changed.':
    'hält sie zurück: Der Identitätsschlüssel des Absenders hat sich geändert.',
  'is paused: what it made of messages shows once it runs, and it looks at new ones then.':
    'ist angehalten: Was aus Nachrichten wurde, zeigt sich, wenn er läuft; dann sieht er sich auch neue an.',
  'has no identity at a server, so no messages reach it.':
    'hat keine Identität auf einem Server, also erreicht ihn keine Nachricht.',
  'has settings that cannot be read, so it does not run.':
    'hat unlesbare Einstellungen und läuft deshalb nicht.',
  'does not run now, so its messages are closed.': 'läuft gerade nicht, deshalb sind seine Nachrichten zu.',
  'is not connected to its server; it will look at it once it is.':
    'ist nicht mit seinem Server verbunden; er sieht sie sich an, sobald er es ist.',
  'has not got it: it was sent before the agent was there, or it is still on its way.':
    'hat sie nicht: Sie wurde gesendet, bevor es den Agenten gab, oder ist noch unterwegs.',
  'it is paused': 'er ist angehalten',
  'it chose not to answer': 'er wollte nicht antworten',
  'it does not answer direct messages': 'er antwortet nicht auf Direktnachrichten',
  'it does not answer in this room': 'er antwortet in diesem Raum nicht',
  'it does not answer mentions': 'er antwortet nicht auf Erwähnungen',
  'it wasn’t mentioned': 'er wurde nicht erwähnt',
  'another agent wrote this and didn’t mention it':
    'ein anderer Agent hat das geschrieben und ihn nicht erwähnt',
  'the message is older than its settings allow': 'die Nachricht ist älter, als seine Einstellungen erlauben',
  'paused after a long exchange between agents. Write something to continue':
    'angehalten nach langem Austausch zwischen Agenten. Schreib etwas, um fortzusetzen',
  'Paused after {n} agent messages in a row.': 'Nach {n} Nachrichten von Agenten in Folge angehalten.',
  'The agent chose not to answer.': 'Der Agent wollte nicht antworten.',
  'The agent sent its messages itself.': 'Der Agent hat seine Nachrichten selbst gesendet.',
  'The turn is over.': 'Die Runde ist vorbei.',
  'The answer failed.': 'Die Antwort ist misslungen.',
  'Kennel stopped in the middle of this turn and went on from what was recorded.':
    'Kennel endete mitten in dieser Runde und machte mit dem weiter, was aufgezeichnet war.',
  'Kennel was stopped; the message is taken up again at the next start.':
    'Kennel wurde beendet; die Nachricht wird beim nächsten Start wieder aufgenommen.',
};
