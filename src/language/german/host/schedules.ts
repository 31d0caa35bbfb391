import type { HostPart } from '../../host-part.ts';

export const schedules: HostPart<'schedules'> = {
  changeFileNobodyLook: '{who} kann diese Datei ändern, und niemand sähe sie an, bevor sie läuft.',
  changeWorkflowStartsNobody:
    '{who} kann {path} ändern, und diesen Ablauf startet dieser hier; niemand sähe ihn an, bevor er läuft.',
  chooseAnotherNameChange: 'Nimm einen anderen Namen, oder ändere jenen.',
  example091: 'Zum Beispiel „0 9 * * 1-5“: um neun Uhr morgens, Montag bis Freitag.',
  kennelNotStartedEverything: 'Kennel ist noch nicht ganz gestartet.',
  listKennelScheduleList: '„kennel schedule list“ zeigt sie.',
  mean: 'Meintest du „{name}“?',
  nameFileFolderWhole: 'Nenne die Datei oder den Ordner mit dem ganzen Pfad.',
  nameWorkflowFileWhole: 'Nenne die Ablauf-Datei mit dem ganzen Pfad.',
  neverDue: 'Das tritt nie ein: Einen solchen Tag gibt es nicht.',
  noCron: 'Das ist kein Cron-Ausdruck. {why}',
  noSchedule: 'Einen Zeitplan „{name}“ gibt es nicht.',
  noTimeZone: 'Eine Zeitzone „{name}“ gibt es nicht.',
  removeSomeNoLonger: 'Entferne einige, die du nicht mehr brauchst.',
  saveIntoFolderWorkflows: 'Speichere sie in deinem Ordner für Abläufe, oder starte sie von Hand.',
  scheduleAlready: 'Einen Zeitplan „{name}“ gibt es schon.',
  schedulesAlready: 'Es gibt schon {n} Zeitpläne.',
  sixFields: 'Er hat sechs Felder: Zeitpläne gehen nach Minuten, lass das für Sekunden weg.',
  takesFiveFields: 'Er hat fünf Felder: Minute, Stunde, Tag, Monat, Wochentag.',
  useNameLikeEurope: 'Nimm einen Namen wie „Europe/Berlin“ oder „UTC“.',
};
