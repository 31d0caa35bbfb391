import type { HostPart } from '../../host-part.ts';

export const worktrees: HostPart<'worktrees'> = {
  cancelFirst: 'Warte auf ihr Ende oder brich die Aufgabe ab.',
  changedSince:
    'Die Dateien von Aufgabe {id} haben sich geändert, seit die Unterschiede gezeigt wurden. Nichts wurde zusammengeführt.',
  conflicts: 'Beide Seiten haben {files} geändert. Nichts wurde zusammengeführt.',
  gitEnded: 'Git hat zu lange gebraucht und wurde beendet.',
  gitRefused: 'Git hat „{command}“ abgelehnt: {why}',
  inTheWay: 'Unter {path} liegt etwas anderes, deshalb kann dort kein Arbeitsbaum entstehen.',
  isRemoved: 'Der Arbeitsbaum von Aufgabe {id} wird gerade entfernt. Versuche es gleich noch einmal.',
  mergeProgram:
    'Die Einstellungen des Repositorys {folder} nennen ein Programm, das Dateien zusammenführt. Git wurde nicht gestartet.',
  missing: 'Der Arbeitsbaum {path} ist weg. Sein Branch bleibt, bis du ihn verwirfst.',
  noBranch: 'In {folder} ist kein Branch ausgecheckt. Nichts wurde zusammengeführt.',
  noCommit:
    'Das Repository {folder} hat noch keinen Commit, deshalb kann keine Aufgabe auf einem Branch davon arbeiten.',
  noGit: 'Git ist nicht installiert.',
  none: 'Aufgabe {id} hat keinen offenen Arbeitsbaum.',
  notTop:
    'Der Arbeitsordner {folder} ist ein Teil des Repositorys {top}. Ein Arbeitsbaum braucht das ganze Repository als Arbeitsordner.',
  repositoryInside:
    'Der Ordner {name} ist ein eigenes Repository, und Git würde seine Dateien nicht behalten. Entferne zuerst seinen Ordner .git.',
  repositoryRefused: 'In {folder} ist kein Arbeitsbaum möglich: {why}',
  solveConflicts:
    'Committe im Arbeitsordner, was nötig ist, oder führe den Branch selbst mit Git zusammen. Verwirf dann den Arbeitsbaum.',
  taskRuns: 'Aufgabe {id} ist nicht beendet. Nichts wurde geändert.',
  unclean:
    'Der Arbeitsordner {folder} hat Änderungen, die nicht committet sind: {files}. Nichts wurde zusammengeführt.',
  unfinished: 'In {folder} läuft ein Merge oder Rebase. Nichts wurde zusammengeführt.',
};
