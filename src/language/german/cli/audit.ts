import type { CliPart } from '../../cli-message.ts';

export const cliAudit: CliPart<'cliAudit'> = {
  broken: 'Das Prüfprotokoll ist NICHT unversehrt. {why}',
  holds:
    'Das Prüfprotokoll ist unversehrt: {lines} {lines|Zeile|Zeilen}, keine geändert, dazwischen fehlt keine.',
  limits:
    'Diese Dateien allein zeigen nicht, ob das ganze Protokoll oder sein Ende entfernt wurde. Beim Start vergleicht Kennel es mit seiner eigenen Aufzeichnung, und „kennel status“ zeigt, was fehlt.',
  nothingDone: 'Noch wurde nichts getan.',
};
