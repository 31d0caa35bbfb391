import type { HostPart } from '../../host-part.ts';

export const turns: HostPart<'turns'> = {
  answerWithheld: 'Die Antwort wurde nicht gesendet. {why}',
  choseSilence: 'Der Agent wollte nicht antworten.',
  failedWithPartial: '{why}\n\nBis dahin geschrieben:\n{partial}',
  modelGaveNoText: 'Das Modell gab keinen Text.',
  sentByTool: 'Der Agent hat seine Nachrichten selbst gesendet.',
  stoppedByYou: 'Du hast diese Runde beendet. Nichts davon wurde gesendet.',
  windowTooSmall:
    'Anweisungen und Werkzeuge dieses Agenten brauchen etwa {n, number} Token, und das Fenster seines Modells hat {window, number}.',
  chooseLargerWindow: 'Wähle ein Modell mit größerem Fenster, oder gib dem Agenten weniger Werkzeuge.',
  modelAnswersError: 'Das Modell antwortet mit einem Fehler ({status}).',
  maxTurnsReached:
    'Der Agent hat die Grenze für Modellanfragen in einem Arbeitsgang (max_turns) erreicht und angehalten. Was er bis dahin getan hat, bleibt erhalten.',
  goOnOrRaiseMaxTurns: 'Schicke eine weitere Nachricht, damit er weitermacht, oder erhöhe max_turns.',
  programDoesNotAsk:
    '{title} arbeitet in einem Modus, der nicht vorher fragt ({mode}), und wurde deshalb beendet. Es hat nichts weiter getan.',
  programEnded:
    '{title} hat sich vor der Antwort beendet (Exit-Code {code}). Was es bis dahin getan hat, bleibt erhalten.',
  programFellSilent:
    '{title} antwortete nicht mehr und wurde beendet. Was es bis dahin getan hat, bleibt erhalten.',
  gateLost: 'Kennel konnte eine Aktion von {title} nicht prüfen und hat das Programm deshalb beendet.',
  programNotTrusted: 'Du hast {title} nicht erlaubt, mit deinen Rechten zu laufen. Es wurde nicht gestartet.',
  programSpeaksOtherVersion:
    '{title} beherrscht Version 1 des Agent Client Protocol nicht. Aktualisiere das Programm.',
  agentNotReady: 'Der Agent war nach {n} Sekunden nicht bereit.',
  agentStartFailed: 'Der Agent ließ sich wegen eines Fehlers in Kennel nicht starten.',
  answerBrokeOff: 'Die Antwort brach vor ihrem Ende ab.',
  answerNotSaved: 'Die Antwort konnte noch nicht gespeichert werden.',
  conversationTooLarge: 'Das Gespräch ist zu groß für das Modell.',
  diskFull: 'Die Platte ist voll.',
  diskFailed: 'Die Festplatte antwortet nicht.',
  runKennelWork: '„kennel work“ zählt Arbeitsgänge mit ihren Nummern auf.',
  modelAskedTooOften: 'Das Modell bekommt zu viele Anfragen, oder ein Budget ist aufgebraucht.',
  modelUnavailable: 'Das Modell ist gerade nicht erreichbar.',
  modelGaveNoSummary: 'Das Modell gab keine Zusammenfassung.',
  unknownModel: 'Der Anbieter hat dieses Modell nicht.',
  modelRefusedKey: 'Das Modell hat den Schlüssel abgelehnt.',
  modelRefusedRequest: 'Das Modell hat die Anfrage abgelehnt.',
  modelSentNothing: 'Das Modell hat {n} s lang nichts gesendet.',
  adapterUnavailable: 'Kennel hat hier keinen Adapter für {provider}.',
  unknownTurn: 'Keiner deiner Agenten hat einen Arbeitsgang „{id}“.',
  replyTooLarge: 'Die Antwort überschritt die Größengrenze.',
  replyStopped: 'Die Antwort wurde angehalten.',
  runtimeGaveNoOutcome: 'Die Laufzeit endete, ohne das Ergebnis der Runde zu melden.',
  runtimeFailed: 'Die Laufzeit ist unerwartet gescheitert.',
  runtimeFellSilent: 'Die Laufzeit antwortet nicht mehr.',
  runtimeReportedApiError: 'Die Laufzeit meldete einen API-Fehler statt einer Antwort.',
  severalTurns: 'Mehrere Runden beginnen mit „{turn}“.',
  unknownTurnPart: 'Diese Runde hat diesen Teil nicht mehr.',
  turnStopped: 'Die Runde wurde angehalten.',
  turnTookTooLong: 'Die Runde dauerte länger als {n} Minuten und wurde beendet.',
  typeMoreOfId: 'Gib mehr Zeichen der Kennung ein.',
  raiseTurnLimit:
    'Was bis dahin getan wurde, bleibt. Erhöhe limits.turn_minutes in daemon.yml, wenn der Agent mehr Zeit braucht.',
  planPaused:
    'Angehalten bis {until}: {provider} nimmt keine Anfragen mehr an. Der Agent macht von selbst weiter.',
  waitingForProvider: 'Wartet: {provider} hat um eine Pause gebeten.',
};
