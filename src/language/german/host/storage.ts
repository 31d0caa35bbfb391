import type { HostPart } from '../../host-part.ts';

export const storage: HostPart<'storage'> = {
  alreadySomethingName: 'Etwas mit diesem Namen gibt es schon.',
  checkOwnerPermissionsSet: 'Prüfe Besitzer und Rechte oder setz KENNEL_HOME auf einen anderen Ordner.',
  chooseAnotherStateFolder: 'Wähle einen anderen Zustandsordner oder verschiebe diese Datei.',
  dataFolderCannotWritten: 'In den Datenordner lässt sich nicht schreiben ({code}). Nichts wurde geändert.',
  dataFolderUse: 'Dieser Datenordner wird von {who} benutzt. Nichts wurde geändert. ({home})',
  decidedBeforeAnotherProgram: 'Das wurde schon vorher oder von einem anderen Programm entschieden.',
  diskFull: 'Die Festplatte ist voll: Der Host konnte nicht starten. Schaff Platz.',
  fileBytes: 'Die Datei hat {size} Bytes; höchstens {maxBytes} werden gelesen. Sie wurde nicht angerührt.',
  fileNotUtf8: 'Die Datei ist kein UTF-8-Text. Sie wurde nicht angerührt.',
  historyRunDamaged:
    'Die Geschichte dieses Laufs ist beschädigt. Sie wurde behalten, und nichts geht weiter.',
  noJournalReadWithout:
    'Das ist kein Journal, das ohne Schlüssel lesbar ist: Es ist verschlüsselt oder beschädigt. Es wurde nicht angerührt.',
  pauseTaskFirst: 'Aufgabe {id} ist {status}: Halte sie an, bevor du sie änderst.',
  restoreBackupMoveAway: 'Stell sie aus einer Sicherung wieder her oder verschiebe sie, um neu anzufangen.',
  useKennelStatusTalk: 'Sprich es mit `kennel status` an oder beende es mit `kennel stop`.',
};
