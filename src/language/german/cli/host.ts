import type { CliPart } from '../../cli-message.ts';

export const cliHost: CliPart<'cliHost'> = {
  check_fail: 'FEHLER',
  check_ok: 'ok',
  check_warn: 'Warnung',
  demoGone: 'Die Demo ist entfernt: ihre Agenten, Identitäten, Nachrichten und ihr Relay-Server.',
  deleteDemo: 'Alles löschen, was die Demo angelegt hat?',
  locked: 'Die Seite ist gesperrt ({browsers} Browser angemeldet). „kennel unlock“ öffnet sie wieder.',
  newPassphrase: 'Eine neue Passphrase für deine Geheimnisse: ',
  noPassphrase: 'Keine Passphrase wurde angegeben; nichts wurde geändert.',
  notRunning: 'Kennel läuft nicht; nichts ist zu beenden.',
  pageUnlocked: 'Die Seite ist entsperrt.',
  passphrase: 'Passphrase: ',
  secretsOpen:
    'Deine Geheimnisse sind offen. Ein gesperrtes Fenster der App öffnet sich innerhalb von zehn Sekunden.',
  signedOut: '{browsers} Browser abgemeldet.',
  stillRunning: 'Kennel sollte sich beenden, läuft nach {seconds} s aber noch.',
  stopped: 'Kennel ist beendet.',
  unlocked: 'Entsperrt.',
};
