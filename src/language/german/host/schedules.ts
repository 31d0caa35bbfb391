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
  agentGone: 'Den Agenten {id} gibt es hier nicht mehr.',
  held: 'Er startete in zehn Minuten {one}-mal für eine Datei oder {all}-mal für alle und ist angehalten: Vielleicht ändert seine eigene Arbeit {path}. Schalte ihn wieder ein, wenn das vorbei ist.',
  workflowNotStarted: 'Der Ablauf {name} begann nicht: {why}',
  tooMuchBelow:
    'Unter {path} liegt zu viel: Angesehen werden höchstens {files} Dateien in {folders} Ordnern. Nenne einen kleineren Ordner.',
  pathUnreadable: '{path} lässt sich nicht lesen.',
  nothingAtPath: 'Unter {path} ist noch nichts; es beginnt, sobald dort etwas ist.',
};
