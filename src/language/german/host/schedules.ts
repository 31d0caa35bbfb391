import type { HostPart } from '../../host-part.ts';

export const schedules: HostPart<'schedules'> = {
  fileAgentWritable: '{who} kann diese Datei ändern, und sie liefe ohne Prüfung.',
  startedFileAgentWritable:
    '{who} kann {path} ändern, und dieser Ablauf startet diese Datei; sie liefe ohne Prüfung.',
  chooseAnotherName: 'Nimm einen anderen Namen, oder ändere jenen.',
  cronExample: 'Zum Beispiel „0 9 * * 1-5“: um neun Uhr morgens, Montag bis Freitag.',
  stillStarting: 'Kennel startet noch.',
  listSchedules: '„kennel schedule list“ zeigt sie.',
  absolutePathRequired: 'Nenne die Datei oder den Ordner mit dem ganzen Pfad.',
  workflowPathRequired: 'Nenne die Ablauf-Datei mit dem ganzen Pfad.',
  neverDue: 'Dieser Zeitplan wird nie fällig: Einen solchen Tag gibt es nicht.',
  invalidCron: 'Das ist kein Cron-Ausdruck. {why}',
  unknownSchedule: 'Einen Zeitplan „{name}“ gibt es nicht.',
  unknownTimeZone: 'Eine Zeitzone „{name}“ gibt es nicht.',
  removeSchedules: 'Entferne einige, die du nicht mehr brauchst.',
  saveToWorkflowFolder: 'Speichere sie in deinem Ordner für Abläufe, oder starte sie von Hand.',
  scheduleTaken: 'Einen Zeitplan „{name}“ gibt es schon.',
  tooManySchedules: 'Es gibt schon {n} Zeitpläne.',
  cronHasSixFields: 'Er hat sechs Felder: Zeitpläne gehen nach Minuten, lass das für Sekunden weg.',
  cronNeedsFiveFields: 'Er hat fünf Felder: Minute, Stunde, Tag, Monat, Wochentag.',
  timeZoneExample: 'Nimm einen Namen wie „Europe/Berlin“ oder „UTC“.',
  notKept: 'Zeitpläne sind nicht zu speichern: {why} Was fällig ist, beginnt, sobald es geht.',
};
