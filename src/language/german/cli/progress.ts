import type { CliPart } from '../../cli-message.ts';

export const cliProgress: CliPart<'cliProgress'> = {
  backingUp: 'Sicherung läuft',
  checking: 'Prüfung läuft',
  creating: 'Agent wird erstellt',
  exporting: 'Export läuft',
  importing: 'Import läuft',
  joining: 'Beitritt läuft',
  lookingForNewerVersion: 'Suche nach einer neueren Version',
  registering: 'Registrierung läuft',
  removingDemo: 'Demo wird entfernt',
  restoring: 'Wiederherstellung läuft',
  searching: 'Suche läuft',
  signingUp: 'Anmeldung läuft',
  starting: 'Kennel startet',
  stopping: 'Kennel wird beendet',
  waitingForAnswer: 'Warte auf die Antwort',
  waitingForTask: 'Warte auf Aufgabe {id}',
  waitingForLogin: 'Warte auf die Anmeldung',
  waitingForOtherDevice: 'Warte auf das andere Gerät',
};
