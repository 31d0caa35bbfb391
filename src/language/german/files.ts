import type { Words } from '../words.ts';

export const files: Words<'files'> = {
  attach: 'Dateien anhängen',
  attachLimits: 'Dateien anhängen: höchstens {count, number}, jede bis zu {size}',
  files: 'Dateien',
  ofMessage: 'Dateien dieser Nachricht',
  sending: '{name} wird gesendet',
  fetching: '{name} wird geholt',
  bringing: '{name} wird übergeben',
  show: 'Zeigen<hidden>: {name}</hidden>',
  stopFetching: 'Holen von {name} abbrechen',
  stop: 'Abbrechen',
  downloadName: '{name} herunterladen',
  download: 'Herunterladen',
  takeOutName: '{name} herausnehmen',
  takeOut: 'Herausnehmen',
  percent: '{n, number} %',
  tooLarge: '{name} ist größer als {limit}; mehr kann nicht gesendet werden.',
  tooMany:
    'Eine Nachricht fasst höchstens {most, number} Dateien, darum {count, plural, one {blieb # weg} other {blieben # weg}}.',
  folder: 'Ein Ordner lässt sich so nicht senden. Packe ihn zuerst in eine Datei.',
  noPicture: 'Das ist kein Bild, das hier gezeigt wird. Du kannst es herunterladen.',
  stopped: 'Du hast es abgebrochen.',
  stoppedSending: 'Du hast es abgebrochen. Nichts wurde gesendet.',
  largerThanSaid: 'Diese Datei ist größer als angegeben. Sie wurde nicht behalten.',
  endedEarly: 'Die Datei brach vor ihrem Ende ab.',
  unreadable: '{name} ließ sich nicht lesen. Nichts wurde gesendet.',
  unreadableHint:
    'Wenn es ein Ordner ist, packe ihn zuerst in eine Datei. Wurde die Datei verschoben, hänge sie neu an.',
};
