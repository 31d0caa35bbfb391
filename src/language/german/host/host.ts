import type { HostPart } from '../../host-part.ts';

export const host: HostPart<'host'> = {
  answerTooLargeSend: 'Die Antwort ist zu groß zum Senden.',
  clientKindNotCall: 'Ein Client dieser Art darf „{method}“ nicht aufrufen.',
  clientKindNotListen: 'Ein Client dieser Art darf hier nicht mithören.',
  hostNotServePage: 'Dieser Host liefert die Seite nicht auf Loopback aus.',
  installKennelNodeRun: 'Installiere Kennel für Node und führe dort „kennel service install“ aus.',
  kennelHitBugWhile: 'Kennel ist bei „{method}“ auf einen eigenen Fehler gestoßen. Sonst ist nichts gestört.',
  kennelInstallsServiceSystemd:
    'Kennel richtet einen Dienst nur mit systemd und launchd ein. Nichts wurde geändert.',
  kennelNotRunningNeeds: 'Kennel läuft nicht, und das braucht das Netz.',
  kennelStopping: 'Kennel wird beendet.',
  letTaskSchedulerSystem:
    'Lass die Aufgabenplanung dieses Systems bei der Anmeldung „kennel start“ ausführen.',
  logHoldsDetails: 'Das Protokoll kennt die Einzelheiten.',
  matterKennelAppNot: 'Das ist Sache der Kennel-App, und dies ist nicht ihr Fenster.',
  noMethod: 'Es gibt keine Methode „{method}“.',
  noTopic: 'Es gibt kein Thema „{topic}“.',
  notAnswerTime: '{provider} hat nicht rechtzeitig geantwortet.',
  packagedAppCannotRun: 'Die gepackte App kann nicht als Dienst laufen. Nichts wurde geändert.',
  pageLocked: 'Die Seite ist gesperrt.',
  pageNotServedLoopback: 'Die Seite konnte nicht auf Loopback ausgeliefert werden: {why}.',
  pathDataFolderToo:
    'Der Pfad des Datenordners ist zu lang für einen Socket, und ein sicherer kurzer Ort fand sich nicht.',
  removeFolderSetKennel: 'Entferne diesen Ordner oder setz KENNEL_HOME auf einen kürzeren Pfad.',
  restartKennelInstall: 'Starte Kennel neu, um es zu installieren.',
  runKennelUnlockFirst: 'Führe zuerst „kennel unlock“ aus.',
  serviceFileRefusedRemoved: 'Die Dienstdatei wurde abgelehnt und entfernt: {said}',
  thinksWithoutLogin: '{id} denkt mit {provider} ohne Anmeldung; ein Schlüssel braucht keine Erneuerung.',
  tooManyCallsOnce: 'Zu viele Aufrufe auf einmal.',
  useWindowAppStart: 'Nimm das Fenster der App oder starte nach „npm run build“ mit „kennel start“.',
};
