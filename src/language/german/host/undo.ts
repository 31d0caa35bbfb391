import type { HostPart } from '../../host-part.ts';

export const undo: HostPart<'undo'> = {
  cancelledBeforeStart: 'Der Aufruf wurde abgebrochen, bevor er begann.',
  changedSinceShown: 'Die Dateien haben sich seither geändert. Nichts wurde wiederhergestellt.',
  contentNotStored: 'Der frühere Inhalt dieser Datei ist nicht mehr gespeichert.',
  runUndoList: '„kennel undo list“ zeigt, was sich rückgängig machen lässt.',
  lookAgain: 'Sieh dir die Änderungen noch einmal an und entscheide dann.',
  unknownPoint: 'Einen Wiederherstellungspunkt „{point}“ gibt es nicht.',
  nothingToRestore: 'Keine Datei lässt sich wiederherstellen. Nichts wurde geändert.',
  severalPoints: 'Mehrere Wiederherstellungspunkte beginnen mit „{point}“.',
  worktreeOpen:
    'Seitdem haben sich Dateien einer Aufgabe mit eigenem Arbeitsbaum geändert. Übernimm oder verwirf zuerst ihren Branch.',
  callStillRuns: 'Der Aufruf läuft noch. Mach ihn rückgängig, wenn er zu Ende ist.',
  undoneAlready: 'Diese Änderungen sind schon rückgängig gemacht.',
  revertFile: '{name} zurücknehmen',
  revertFiles: '{n} Dateien zurücknehmen',
  unknownSnapshot: 'Einen Schnappschuss „{named}“ gibt es nicht.',
  runSnapshotList: '„kennel snapshot list“ zeigt die Schnappschüsse eines Agenten.',
  severalSnapshots: 'Mehrere Schnappschüsse beginnen mit „{named}“.',
  labelTaken: 'Ein Schnappschuss heißt schon „{label}“.',
  tooManySnapshots: 'Es gibt schon {most} Schnappschüsse, die du angelegt hast.',
  snapshotsFull: 'Schnappschüsse und Wiederherstellungspunkte brauchen mehr als 1 GiB.',
  removeSome: 'Entferne Schnappschüsse, die du nicht mehr brauchst.',
  noWorkspace: 'Dieser Agent hat noch keinen Arbeitsordner.',
  restoreLabel: 'den Schnappschuss „{label}“ wiederherstellen',
  restoreOf: 'den Schnappschuss {id} wiederherstellen',
};
