import type { HostPart } from '../../host-part.ts';

export const turns: HostPart<'turns'> = {
  agentNotReadyAfter: 'Der Agent war nach {n} Sekunden nicht bereit.',
  agentNotStartedBecause: 'Der Agent ließ sich wegen eines Fehlers in Kennel nicht starten.',
  answerNotSavedYet: 'Die Antwort konnte noch nicht gespeichert werden.',
  kennelWorkListsTurns: '„kennel work“ zählt Arbeitsgänge mit ihren Nummern auf.',
  modelGaveNoSummary: 'Das Modell gab keine Zusammenfassung.',
  noAdapter: 'Mit {provider} kann Kennel hier nicht sprechen.',
  noneAgentsTurn: 'Keiner deiner Agenten hat einen Arbeitsgang „{id}“.',
  replyGrewBeyondEvery: 'Die Antwort wuchs über jede Grenze.',
  replyStopped: 'Die Antwort wurde angehalten.',
  runtimeEndedWithoutSaying: 'Die Laufzeit endete, ohne zu sagen, wie die Runde ausging.',
  runtimeFailedUnexpectedly: 'Die Laufzeit ist unerwartet gescheitert.',
  runtimeFellSilent: 'Die Laufzeit ist verstummt.',
  runtimeReportedApiError: 'Die Laufzeit meldete einen API-Fehler statt einer Antwort.',
  severalTurnsBegin: 'Mehrere Runden beginnen mit „{turn}“.',
  turnNoSuchPart: 'Diese Runde hat diesen Teil nicht mehr.',
  turnStopped: 'Die Runde wurde angehalten.',
  turnTookLongerMinutes: 'Die Runde dauerte länger als {n} Minuten und wurde beendet.',
  typeId: 'Gib mehr von der Kennung ein.',
  untilDone:
    'Was bis dahin geschah, ist geschehen. Erhöhe limits.turn_minutes in daemon.yml, wenn er mehr braucht.',
  waiting: 'Wartet: {provider} hat um eine Pause gebeten.',
};
