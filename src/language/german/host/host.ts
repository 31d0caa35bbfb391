import type { HostPart } from '../../host-part.ts';

export const host: HostPart<'host'> = {
  answerTooLarge: 'Die Antwort ist zu groß zum Senden.',
  callNotAllowed: 'Ein Client dieser Art darf „{method}“ nicht aufrufen.',
  subscribeNotAllowed: 'Ein Client dieser Art darf hier nicht mithören.',
  pageNotServed: 'Dieser Host liefert die Seite nicht auf Loopback aus.',
  installKennelForNode: 'Installiere Kennel für Node und führe dort „kennel service install“ aus.',
  internalBug: 'Kennel ist bei „{method}“ auf einen eigenen Fehler gestoßen. Sonst ist nichts gestört.',
  unsupportedServiceManager:
    'Kennel kann einen Dienst nur mit systemd oder launchd einrichten. Nichts wurde geändert.',
  kennelNotRunning: 'Kennel läuft nicht. Dieser Befehl braucht das Netz.',
  kennelStopping: 'Kennel wird beendet.',
  useTaskScheduler: 'Lass die Aufgabenplanung dieses Systems bei der Anmeldung „kennel start“ ausführen.',
  checkLog: 'Das Protokoll enthält die Einzelheiten.',
  desktopOnly: 'Das geht nur im Fenster der Kennel-App.',
  unknownMethod: 'Es gibt keine Methode „{method}“.',
  unknownTopic: 'Es gibt kein Thema „{topic}“.',
  providerTimedOut: '{provider} hat nicht rechtzeitig geantwortet.',
  appCannotBeService: 'Die gepackte App kann nicht als Dienst laufen. Nichts wurde geändert.',
  pageLocked: 'Die Seite ist gesperrt.',
  servePageFailed: 'Die Seite konnte nicht auf Loopback ausgeliefert werden: {why}.',
  dataPathTooLong:
    'Der Pfad des Datenordners ist zu lang für einen Socket, und Kennel fand keinen sicheren kürzeren Pfad.',
  setShorterHome: 'Entferne diesen Ordner oder setz KENNEL_HOME auf einen kürzeren Pfad.',
  restartToInstall: 'Starte Kennel neu, um es zu installieren.',
  runUnlock: 'Führe zuerst „kennel unlock“ aus.',
  serviceFileRefused: 'Die Dienstdatei wurde abgelehnt und entfernt: {said}',
  noLoginToRenew: '{id} nutzt {provider} ohne Anmeldung. Ein Schlüssel braucht keine Erneuerung.',
  tooManyCalls: 'Zu viele Aufrufe auf einmal.',
  useAppWindow: 'Nimm das Fenster der App, oder führe „npm run build“ und dann „kennel start“ aus.',
};
