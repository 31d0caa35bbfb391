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
  callStillRuns: 'Der Aufruf läuft noch. Mach ihn rückgängig, wenn er zu Ende ist.',
  undoneAlready: 'Diese Änderungen sind schon rückgängig gemacht.',
  revertFile: '{name} zurücknehmen',
  revertFiles: '{n} Dateien zurücknehmen',
};
