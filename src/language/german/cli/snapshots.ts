import type { CliPart } from '../../cli-message.ts';

export const cliSnapshots: CliPart<'cliSnapshots'> = {
  before: 'Schnappschuss des Stands davor: {id}',
  conversation:
    'Nachrichten bleiben, wie sie sind. Der Agent erfährt es in {count} {count|Unterhaltung|Unterhaltungen}.',
  created: 'Schnappschuss {name}: {files} {files|Datei|Dateien}, {size}.',
  moreFiles: 'und {count} weitere {count|Datei|Dateien}',
  none: 'Dieser Agent hat keine Schnappschüsse.',
  reason_asked: 'angelegt',
  reason_restore: 'vor einer Wiederherstellung',
  reason_turn: 'vor einem Arbeitsgang',
  removed: 'Schnappschuss {name} entfernt.',
  same: 'Seither hat sich nichts geändert.',
};
