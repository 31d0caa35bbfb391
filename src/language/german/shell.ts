import type { Words } from '../words.ts';

export const shell: Words<'shell'> = {
  quitTitle: 'Kennel wird gleich beendet',
  quitWorking:
    '{count, plural, =1 {Ein Agent oder Ablauf arbeitet noch. Kennel wartet, bis er fertig ist} other {# Agenten und Abläufe arbeiten noch. Kennel wartet, bis sie fertig sind}}.',
  quitRest:
    'Was bis dahin nicht fertig ist, geht beim nächsten Start weiter. Ein abgebrochener Schritt fragt vielleicht erst nach.',
  quitNow: 'Jetzt beenden',
  stay: 'Nicht beenden',
  atMost: 'Höchstens {seconds, plural, one {# Sekunde} other {# Sekunden}}',
  atMostBefore: 'Höchstens noch ',
  atMostAfter: ' s.',
  didNotStart: 'Kennel ist nicht gestartet',
  startedBug:
    'Kennel konnte wegen eines Fehlers im Programm nicht starten. Deine Daten blieben, wie sie waren.',
  again: 'Noch einmal versuchen',
  openLog: 'Protokoll öffnen',
  quit: 'Beenden',
  recoveryTitle: 'Kennel startet immer wieder nicht',
  recoveryWhat:
    'Kennel hat in den letzten Minuten mehrmals versucht zu starten und kam nicht weit. An deinen Sachen wurde nichts geändert.',
  recoveryNext:
    'Starte ohne deine Agenten, um dich umzusehen, oder lies im Protokoll nach, woran es lag. Sichere eine Kopie, bevor du eine ältere wiederherstellst.',
  withoutAgents: 'Ohne Agenten starten',
  saveCopy: 'Kopie sichern…',
  restoreBackup: 'Sicherung wiederherstellen…',
  saveCopyTitle: 'Eine Kopie deines Datenordners sichern',
  save: 'Sichern',
  chooseBackup: 'Wähle eine Sicherung',
  useBackup: 'Diese Sicherung nehmen',
  chooseImportFile: 'Wähle eine Datei zum Importieren',
  importFiles: 'Agenten',
  chooseImportFolder: 'Wähle einen Ordner zum Importieren',
  pickBackupFirst: 'Es ist keine Sicherung gewählt. Nichts wurde geändert.',
  otherHasFolder:
    'Ein anderes Programm von Kennel hat den Ordner, also lässt er sich von hier nicht ersetzen. Beende zuerst dieses.',
  hostStays: 'Kennel kam nicht rechtzeitig zur Ruhe. Nichts wurde geändert; versuch es noch einmal.',
  restoreBug: 'Die Sicherung ließ sich wegen eines Fehlers in Kennel nicht zurückholen.',
  putBackup: 'Diese Sicherung an die Stelle dessen setzen, was du jetzt hast?',
  putBackupDetail: '{from}\n\nWas jetzt dort ist, wird beiseitegelegt und behalten.',
  cancel: 'Abbrechen',
  restore: 'Wiederherstellen',
  noLog: 'Es gibt noch kein Protokoll.',
  logIsIn: 'Das Protokoll liegt in {folder}.',
  logNotOpened: 'Dein Desktop konnte {folder} nicht öffnen. Sieh dort selbst nach.',
  copied: 'Eine Kopie von {files, plural, one {# Datei} other {# Dateien}} liegt in {target}.',
  restored:
    '{files, plural, one {# Datei wurde wiederhergestellt.} other {# Dateien wurden wiederhergestellt.}}',
  restoredAside:
    '{files, plural, one {# Datei wurde wiederhergestellt.} other {# Dateien wurden wiederhergestellt.}} Was vorher dort war, liegt in {aside}.',
  openOutside: '{place} außerhalb von Kennel öffnen?',
  open: 'Öffnen',
  settingNotSaved: 'Die Einstellung ließ sich nicht speichern. Die alte gilt weiter.',
  settingNotSavedHint: 'Prüfe, ob der Datenordner beschreibbar und auf der Festplatte noch Platz ist.',
  loginNotChanged: 'Der Start bei der Anmeldung ließ sich nicht ändern.',
  loginNotChangedHint: 'Prüfe, ob dieser Ordner beschreibbar ist.',
  hostLost: 'Der Kennel, in dem deine Agenten laufen, antwortet nicht. Nichts von dir ging verloren.',
  hostLostHint: 'Die App verbindet sich wieder, sobald er zurück ist.',
  hostIsThere: 'Der Kennel, in dem deine Agenten laufen, ist da; nichts wurde geändert.',
  letDeviceIn: 'Ein weiteres Gerät in dein Konto lassen?',
  letDeviceInDetail:
    'Es muss jetzt genau diese Wörter zeigen:\n\n{words}\n\nEs wird du sein: Es bekommt eine Kopie deines Identitätsschlüssels, liest, was ab jetzt kommt, und spricht für dich. Wenn du das nicht auf einem deiner Geräte begonnen hast, brich ab.',
  letItIn: 'Die Wörter sind gleich: hineinlassen',
  noDeviceWords: 'Das sind keine Wörter eines Geräts. Nichts wurde geändert.',
  askedAlready: 'Du wirst schon nach einem Gerät gefragt. Nichts wurde geändert.',
  deviceNotLetIn: 'Das Gerät wurde nicht hineingelassen. Nichts wurde geändert.',
};
