import type { CliPart } from '../../cli-message.ts';

export const cliStart: CliPart<'cliStart'> = {
  agents: 'Agenten: {total}.',
  connectLater:
    'Du bist nicht angemeldet. Das geht später mit „kennel operator sign-up“ in einem anderen Terminal.',
  chooseNumber: 'Gib 1, 2 oder 3 ein.',
  choose:
    'Wie möchtest du beginnen?\n  1  Jetzt ausprobieren: zwei Übungsagenten und ein Relay-Server auf diesem Rechner; ohne Konto, nichts verlässt ihn\n  2  Meinen Puffo-Space verbinden: Du brauchst einen Einladungscode\n  3  Später',
  demoBuilding: 'Die Demo wird auf diesem Rechner eingerichtet: ein Relay-Server, du und zwei Übungsagenten.',
  demoReady: 'Die Demo ist bereit. Du bist {operator}, im Kanal #general.',
  encrypted: 'Der erste Austausch, Ende-zu-Ende-verschlüsselt:',
  inviteCode: 'Einladungscode (leer: nicht jetzt): ',
  link: 'Öffne {url}\n(gilt einmal; „kennel open“ gibt einen anderen aus)',
  newPassphrase: 'Hier gibt es keinen Schlüsselbund. Eine Passphrase für deine Schlüssel: ',
  noAnswer: 'Innerhalb von 20 s kam keine Antwort. „kennel doctor“ sucht die Ursache.',
  passphrase: 'Passphrase für deine Geheimnisse: ',
  ready: 'Kennel läuft. Strg-C beendet es.',
  secretsLocked:
    'Deine Geheimnisse sind gesperrt. Führe „kennel unlock“ aus oder setze KENNEL_PASSPHRASE; danach starten die Agenten.',
  serverHas: 'Der Server hat',
  sealed: '{id}, {bytes} Byte, verschlüsselt für {recipients} {recipients|Gerät|Geräte}:',
  server: 'Server',
  started: 'Kennel ist in {home} gestartet (PID {pid}).',
  stopped: 'Kennel ist beendet ({reason}).',
  stopping:
    'Kennel wird beendet, sobald die laufenden Schritte fertig sind, nach höchstens 10 s. Noch einmal: sofort beenden.',
  stoppingNow: 'Wird sofort beendet.',
  typeAddress: 'Gib eine Adresse ein, die mit https:// oder http:// beginnt.',
  typeName: 'Gib einen Namen ein.',
  userName: 'Benutzername',
  youAre: 'Du bist {slug}.',
  youAsk: 'Du fragst',
  yourChoice: 'Deine Wahl [1]: ',
};
