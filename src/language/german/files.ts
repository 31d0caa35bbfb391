import type { Words } from '../words.ts';

export const files: Words<'files'> = {
  attach: 'Dateien anhängen',
  attachLimits: 'Dateien anhängen: höchstens {count, number}, jede bis zu {size}',
  files: 'Dateien',
  ofMessage: 'Dateien dieser Nachricht',
  sending: '{name} wird gesendet',
  fetching: '{name} wird heruntergeladen',
  bringing: '{name} wird hochgeladen',
  show: 'Zeigen<hidden>: {name}</hidden>',
  openPicture: '{name} groß öffnen',
  stopFetching: 'Herunterladen von {name} abbrechen',
  stop: 'Abbrechen',
  downloadName: '{name} herunterladen',
  download: 'Herunterladen',
  takeOutName: '{name} entfernen',
  takeOut: 'Entfernen',
  percent: '{n, number} %',
  tooLarge: '{name} ist größer als {limit}, die Grenze.',
  tooMany:
    'Eine Nachricht fasst höchstens {most, number} Dateien, darum {count, plural, one {blieb # weg} other {blieben # weg}}.',
  folder: 'Ordner lassen sich nicht senden. Packe den Ordner zuerst in eine Datei.',
  noPicture: 'Dieses Bild kann hier nicht gezeigt werden. Du kannst es herunterladen.',
  stopped: 'Abgebrochen.',
  stoppedSending: 'Abgebrochen. Nichts wurde gesendet.',
  largerThanSaid: 'Diese Datei ist größer als angekündigt und wurde nicht behalten.',
  endedEarly: 'Der Download endete, bevor die Datei vollständig war.',
  unreadable: '{name} ließ sich nicht lesen. Nichts wurde gesendet.',
  unreadableHint:
    'Wenn es ein Ordner ist, packe ihn zuerst in eine Datei. Wurde die Datei verschoben, füge sie neu hinzu.',
};
