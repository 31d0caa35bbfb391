import type { HostPart } from '../../host-part.ts';

export const storage: HostPart<'storage'> = {
  nameTaken: 'Etwas mit diesem Namen gibt es schon.',
  databaseInUse: 'Ein anderer Prozess benutzt die Datenbank. Nichts wurde geändert.',
  checkDisk: 'Prüfe die Platte.',
  checkOwnerPermissions: 'Prüfe Eigentümer und Rechte.',
  checkPermissionsOrHome: 'Prüfe Besitzer und Rechte oder setz KENNEL_HOME auf einen anderen Ordner.',
  chooseAnotherStateFolder: 'Wähle einen anderen Zustandsordner oder verschiebe diese Datei.',
  raiseFileLimit: 'Schließ Programme oder erhöhe die Grenze.',
  dataFolderNotWritable: 'In den Datenordner lässt sich nicht schreiben ({code}). Nichts wurde geändert.',
  dataFolderInUse: 'Dieser Datenordner wird von {who} benutzt. Nichts wurde geändert. ({home})',
  databaseDamaged: 'Die Datenbank ist beschädigt oder mit einem anderen Schlüssel verschlüsselt.',
  restorePointDamaged: 'Die Datenbank enthält einen Wiederherstellungspunkt, der nicht lesbar ist.',
  databaseFieldDamaged: 'Die Datenbank enthält in „{name}“ unerwartete Daten.',
  nodeTooOld:
    'Die Datenbank braucht Node 22.14 oder neuer (Node-API {neededNodeApi}; diese Laufzeit hat {nodeApi}). Nichts wurde geöffnet.',
  databaseOpenFailed: 'Die Datenbank ließ sich nicht öffnen: Prüfe, ob ihr Ordner existiert. ({path})',
  databaseFolderUnusable:
    'Die Datenbank ließ sich nicht öffnen: Prüfe, ob ihr Ordner existiert und du ihn benutzen darfst.',
  databaseNotWritable: 'In die Datenbank lässt sich nicht schreiben: Prüfe Besitzer und Rechte des Ordners.',
  databaseTooNew:
    'Diese Datenbank wurde von einem neueren Kennel geschrieben (Schema {found}, dieses kennt {steps}). Sie wurde nicht angerührt: Aktualisiere Kennel. ({path})',
  alreadyDecided: 'Das wurde schon vorher oder von einem anderen Programm entschieden.',
  diskFailed: 'Die Platte ist gestört; der alte Inhalt blieb erhalten, soweit er lesbar ist.',
  databaseDiskFailed:
    'Die Festplatte versagte, während die Datenbank benutzt wurde. Was davor bestätigt wurde, bleibt.',
  hostDiskFull: 'Die Festplatte ist voll: Der Host konnte nicht starten. Schaff Platz.',
  databaseDiskFull:
    'Die Festplatte ist voll: Nichts wurde geschrieben, und das Gespeicherte bleibt. Schaff Platz.',
  storeDiskFull: 'Die Festplatte ist voll: Der Speicher ließ sich nicht anlegen. Schaff Platz. ({path})',
  diskFullContentKept: 'Die Platte ist voll; der alte Inhalt blieb erhalten.',
  diskQuotaUsedUp: 'Dein Plattenkontingent ist aufgebraucht; der alte Inhalt blieb erhalten.',
  diskReadOnly: 'Die Platte ist schreibgeschützt; nichts wurde geändert.',
  fileTooLarge: 'Die Datei hat {size} Bytes; höchstens {maxBytes} werden gelesen. Sie wurde nicht angerührt.',
  fileUnusable: 'Die Datei ließ sich nicht benutzen; nichts wurde geändert.',
  fileNotUtf8: 'Die Datei ist kein UTF-8-Text. Sie wurde nicht angerührt.',
  folderExpected: 'Eine Datei liegt an der Stelle eines Ordners. Nichts wurde geändert.',
  fileExpected: 'Ein Ordner liegt an der Stelle einer Datei. Nichts wurde geändert.',
  runHistoryDamaged:
    'Die Geschichte dieses Laufs ist beschädigt. Sie wurde behalten, und der Lauf geht nicht weiter.',
  hostFieldDamaged: 'Der Speicher des Hosts enthält in „{column}“ unerwartete Daten.',
  integrityCheckFailed: 'Die Integritätsprüfung ist gescheitert. ({path})',
  plainFileExpected: 'Ein Link liegt an der Stelle einer gewöhnlichen Datei. Er wurde nicht angerührt.',
  makeWritable: 'Mach sie beschreibbar, oder wähle einen anderen Ordner.',
  moveFileAway: 'Verschiebe die Datei.',
  moveFolderAway: 'Verschiebe den Ordner.',
  journalUnreadable:
    'Dieses Journal ist ohne Schlüssel nicht lesbar: Es ist verschlüsselt oder beschädigt. Es wurde nicht angerührt.',
  changeNotAllowed: 'Du darfst diese Datei nicht ändern; nichts wurde geändert.',
  useNotAllowed: 'Du darfst diese Datei nicht nutzen; nichts wurde geändert.',
  archiveFinished: '{id} ist noch nicht zu Ende und wurde nicht archiviert. Nichts wurde geändert.',
  pauseTaskFirst: 'Aufgabe {id} ist {status}: Halte sie an, bevor du sie änderst.',
  certificateNotJson: 'Das Register enthält ein Zertifikat, das kein JSON ist.',
  replaceLink: 'Ersetze den Link.',
  restoreFromBackup: 'Stell sie aus einer Sicherung wieder her oder verschiebe sie, um neu anzufangen.',
  storeOpenFailed:
    'Der Speicher ließ sich nicht öffnen: Prüfe Besitzer und Rechte seines Ordners. ({path}, {code})',
  taskNotStored: 'Die Aufgabe ließ sich nicht speichern.',
  taskStoreDamaged: 'Der Aufgabenspeicher enthält unerwartete Daten.',
  tooManyFilesOpen: 'Zu viele Dateien sind offen; nichts wurde geändert.',
  runStatusOrStop: 'Sprich es mit `kennel status` an oder beende es mit `kennel stop`.',
  withCode: '{what} ({code})',
  withPlace: '{what} ({path}, {code})',
  yourAccount: 'dein Konto',
  agentChanges: 'die Änderungen der Agenten',
  tasks: 'Aufgaben',
  agentUsage: 'die Verbrauchsdaten der Agenten',
  workflowRuns: 'die Läufe der Workflows',
  questions: 'Fragen und Antworten',
  knownKeys: 'die bekannten Schlüssel von {url}',
  storeDamaged:
    'Der Speicher für {what} war beschädigt ({reason}). Er liegt jetzt unter {path}; ein neuer begann mit dem, was noch lesbar war.',
  storeFault: '{what}: {why}',
  filesOpenToOthers: '{n} Dateien im Datenordner sind für andere offen und ließen sich nicht schließen.',
  checkOwner: 'Prüfe ihren Eigentümer, z. B. {path}.',
  auditIncomplete:
    'Das Prüfprotokoll ist nicht vollständig: {what}. Eine neue Zeile darin hält das fest; alles andere ist erhalten.',
  findWhoRemoved:
    'Wenn du sie nicht selbst entfernt hast, finde heraus, wer es war. Eine Sicherung deines Datenordners hat sie vielleicht noch.',
  findWhoChanged:
    'Wenn du es nicht selbst geändert hast, finde heraus, wer es war: „kennel audit verify“ zeigt, was es enthält.',
  agentsDoNothing: 'Bis dahin dürfen Agenten nichts tun.',
  auditCutShort:
    'Das Prüfprotokoll war beschädigt oder gekürzt: Es sollte {known} Zeilen haben. Es liegt jetzt unter {path}, und ein neues begann.',
  auditDamaged:
    'Das Prüfprotokoll war beschädigt oder gekürzt. Es liegt jetzt unter {path}, und ein neues begann.',
  auditNotWritten: 'Das Prüfprotokoll ließ sich nicht schreiben. Was darin steht, ist erhalten.',
  auditDiskFull:
    'Das Prüfprotokoll ließ sich nicht schreiben: Die Platte ist voll. Was darin steht, ist erhalten.',
  checkDataFolder: 'Prüfe Besitzer und Rechte des Datenordners, oder setze KENNEL_HOME auf einen anderen.',
};
