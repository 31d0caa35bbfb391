import type { HostSentences } from '../../host-sentences.ts';

/** Errors of schedules, and why one started nothing. */
export const scheduleSentences: HostSentences = {
  'There is no schedule "{name}".': 'Einen Zeitplan „{name}“ gibt es nicht.',
  'This is no cron expression.': 'Das ist kein Cron-Ausdruck.',
  'This is no cron expression. {why}': 'Das ist kein Cron-Ausdruck. {why}',
  'For example "0 9 * * 1-5": at nine in the morning, Monday to Friday.':
    'Zum Beispiel „0 9 * * 1-5“: um neun Uhr morgens, Montag bis Freitag.',
  'The agent {id} is not here any more.': 'Den Agenten {id} gibt es hier nicht mehr.',
  'It started {one} times within ten minutes for one file, or {all} times for all of them, and is held: perhaps its own work changes {path}. Resume it when that is over.':
    'Er startete in zehn Minuten {one}-mal für eine Datei oder {all}-mal für alle und ist angehalten: Vielleicht ändert seine eigene Arbeit {path}. Schalte ihn wieder ein, wenn das vorbei ist.',
  'It takes five fields: minute, hour, day, month, day of the week.':
    'Er hat fünf Felder: Minute, Stunde, Tag, Monat, Wochentag.',
  'It has six fields: schedules go by the minute, so leave the one for seconds out.':
    'Er hat sechs Felder: Zeitpläne gehen nach Minuten, lass das für Sekunden weg.',
  'List them with "kennel schedule list".': '„kennel schedule list“ zeigt sie.',
  'Schedules cannot be kept: {=why} What is due is started when they can.':
    'Zeitpläne sind nicht zu speichern: {why} Was fällig ist, beginnt, sobald es geht.',
  'The workflow {name} did not start: {~why}': 'Der Ablauf {name} begann nicht: {why}',
  'There is too much below {path}: at most {files} files in {folders} folders are looked at. Name a smaller folder.':
    'Unter {path} liegt zu viel: Angesehen werden höchstens {files} Dateien in {folders} Ordnern. Nenne einen kleineren Ordner.',
  '{path} cannot be read.': '{path} lässt sich nicht lesen.',
  'There is nothing at {path} yet; it begins when there is.':
    'Unter {path} ist noch nichts; es beginnt, sobald dort etwas ist.',
  '{who} can change this file, and nobody would look at it before it runs.':
    '{who} kann diese Datei ändern, und niemand sähe sie an, bevor sie läuft.',
  '{who} can change {path}, which this workflow starts, and nobody would look at it before it runs.':
    '{who} kann {path} ändern, und diesen Ablauf startet dieser hier; niemand sähe ihn an, bevor er läuft.',
  'Save it into your folder of workflows, or start it by hand.':
    'Speichere sie in deinem Ordner für Abläufe, oder starte sie von Hand.',
};
