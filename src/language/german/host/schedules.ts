import type { HostPart } from '../../host-part.ts';

export const schedules: HostPart<'schedules'> = {
  chooseAnotherNameChange: 'Nimm einen anderen Namen, oder ändere jenen.',
  kennelNotStartedEverything: 'Kennel ist noch nicht ganz gestartet.',
  nameFileFolderWhole: 'Nenne die Datei oder den Ordner mit dem ganzen Pfad.',
  nameWorkflowFileWhole: 'Nenne die Ablauf-Datei mit dem ganzen Pfad.',
  neverDue: 'Das tritt nie ein: Einen solchen Tag gibt es nicht.',
  noTimeZone: 'Eine Zeitzone „{name}“ gibt es nicht.',
  removeSomeNoLonger: 'Entferne einige, die du nicht mehr brauchst.',
  scheduleAlready: 'Einen Zeitplan „{name}“ gibt es schon.',
  schedulesAlready: 'Es gibt schon {n} Zeitpläne.',
  useNameLikeEurope: 'Nimm einen Namen wie „Europe/Berlin“ oder „UTC“.',
};
