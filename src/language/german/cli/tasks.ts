import type { CliPart } from '../../cli-message.ts';

export const cliTasks: CliPart<'cliTasks'> = {
  all: '… „kennel task {command} {id}“ zeigt alles.',
  cancelling: 'Status: wird nach diesem Schritt abgebrochen',
  done: 'Status: fertig',
  error: 'Status: Fehler',
  errorBecause: 'Status: Fehler. {why}',
  failed: 'Sie ist gescheitert: {why}',
  keptWork: '{why} Was sie getan hat, bleibt; „kennel task retry {id}“ macht damit weiter.',
  paused: 'Status: angehalten. „kennel task resume {id}“ lässt sie weiterlaufen.',
  pausing: 'Status: hält nach diesem Schritt an',
  stepUnknown:
    'Status: wartet auf dich. Niemand weiß, ob Schritt {step} geschehen ist: Sieh nach, dann sag „kennel task settle {id} {step} yes“ oder „no“.',
  waitsForApproval: 'Status: wartet auf eine Erlaubnis. „kennel approvals list“ zeigt, was gefragt wird.',
  waitsForRun:
    'Status: wartet auf den Lauf {run} von {name}. „kennel puppy show {run}“ zeigt, worauf er wartet; die Aufgabe geht weiter, sobald er zu Ende ist.',
};
