import type { CliPart } from '../../cli-message.ts';

export const cliTerminal: CliPart<'cliTerminal'> = {
  askForFlagInTerminal: 'Kennel kann nur in einem Terminal nach {flag} fragen.',
  askPassphraseInTerminal: 'Kennel kann nur in einem Terminal nach der Passphrase fragen.',
  bug: 'Kennel hat einen Fehler: {why}',
  cancelled: 'Abgebrochen. Nichts wurde geändert.',
  connectionLost: 'Der Host hat die Verbindung beendet, bevor er geantwortet hat.',
  emptyFlag: 'Der Wert für {flag} ist leer. Nichts wurde geändert.',
  emptyInput: 'Die Standardeingabe für „-“ ist leer.',
  giveOnInput:
    'Gib es über die Standardeingabe an: {flag} - < DATEI, oder {flag} allein, um danach gefragt zu werden. Ersetze das bereits Eingetippte.',
  giveOnInputAlone: 'Gib es über die Standardeingabe an: {flag} -',
  invalidTaskNumber: '„{text}“ ist keine Aufgabennummer.',
  invalidWholeNumber: '{flag} erwartet eine ganze Zahl von {from} bis {to}.',
  note: 'Hinweis: {note}',
  notRunning: 'Kennel läuft nicht in {home}.',
  notSignedUp: 'Du bist nicht angemeldet: {why}',
  onceMore: 'Noch einmal: ',
  passphrasesDiffer: 'Die beiden unterscheiden sich. Versuche es noch einmal.',
  readLog: 'Sieh in seinem Terminal oder Protokoll nach und führe dann „kennel start“ aus.',
  runTaskListForNumbers: '„kennel task list“ zeigt die Nummern.',
  secretInArguments:
    'Ein Geheimnis hinter {flag} ist in der Prozessliste und im Verlauf der Shell zu sehen. Kennel nimmt es so nicht an.',
  setPassphrase: 'Setze KENNEL_PASSPHRASE oder führe dies in einem Terminal aus.',
  startFirst: 'Starte es mit „kennel start“ und versuche es dann noch einmal.',
  waitingForKennel: 'Warte auf Kennel',
  yesOrNo: '{question} [j/N] ',
};
