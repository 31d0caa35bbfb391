import type { CliPart } from '../../cli-message.ts';

export const cliFiles: CliPart<'cliFiles'> = {
  alreadyThere: '{path} gibt es schon; nichts wurde überschrieben.',
  adding: '{name} wird hinzugefügt: {done} von {size}',
  becameShorter: '{path} wurde beim Lesen kürzer; nichts wurde gesendet.',
  cannotRead: '{path} ist nicht lesbar ({why}).',
  cannotWrite: '{path} lässt sich nicht schreiben ({why}).',
  fileLine: 'Datei {number}: {name} ({type}, {size})',
  fileLineSent: 'Datei {number}: {name} ({type}, {size}, {sent} gesendet)',
  missing: 'Die Datei {path} gibt es nicht.',
  nameAnother: 'Nenne mit --out einen anderen Namen.',
  notFile: '{path} ist keine Datei.',
  numberFrom: 'Die Nummer einer Datei ist 1 oder größer; „kennel chat read“ zeigt sie.',
  saving: '{name} wird gespeichert: {done} von {size}',
  tooLarge: '{path} hat {size}; höchstens 8 MiB lassen sich senden.',
  tooMany: 'Eine Nachricht nimmt höchstens {most} Dateien mit.',
};
