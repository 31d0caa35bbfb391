import type { HostPart } from '../../host-part.ts';

export const contacts: HostPart<'contacts'> = {
  invalidHandle: '„{name}“ ist kein gültiger Handle.',
  unknownContact: 'Niemand namens {name} hat deinen Agenten geschrieben. Nichts wurde geändert.',
  chooseServer: 'Wähle einen mit --server.',
  giveServer: 'Nenne den Server mit --server.',
  ambiguousContact: 'Auf mehreren Servern gibt es jemanden namens {name}. Nichts wurde geändert.',
  wantsToAnswer: 'möchte {who} antworten; die Person schreibt zum ersten Mal',
  whyAsked:
    'Gefragt wird, weil du diese Person noch nicht kennst. Annehmen gilt für alle deine Agenten, Sperren auch.',
  acceptPerson: 'diese Person für alle deine Agenten annehmen',
  questionFailed: 'Die Frage zu {slug} ließ sich nicht stellen: {reason}',
  answerNotRecorded: 'Deine Antwort zu {slug} ließ sich nicht festhalten: {reason}',
  personStillWaits: 'Die Person wartet noch. Kennel versucht es von selbst wieder.',
  senderLimitReached:
    '{slug} hat die {limit} Nachrichten einer Person aufgebraucht, die {name} in einer Stunde beantwortet.',
  otherSendersLimited:
    'Andere Personen haben die {limit} Nachrichten einer Person aufgebraucht, die {name} in einer Stunde beantwortet; diese Liste nennt sie nicht.',
  blockSender:
    'Es geht von selbst weiter. „kennel contacts block {slug}“ beendet es. Unter Einstellungen, Verbrauch und Budget lässt sich die Grenze ändern.',
  senderLimitSetting:
    'Es geht von selbst weiter. Unter Einstellungen, Verbrauch und Budget lässt sich die Grenze ändern.',
};
