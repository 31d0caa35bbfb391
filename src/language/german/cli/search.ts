import type { CliPart } from '../../cli-message.ts';

export const cliSearch: CliPart<'cliSearch'> = {
  dayForm: '{flag} erwartet einen Tag wie 2026-11-01.',
  giveWords: 'Gib Suchwörter an oder einen Filter wie --from.',
  more: 'Es gibt mehr: --before {id}',
  noAgents: 'Keiner deiner Agenten ist dort.',
  nothing: 'Nichts gefunden.',
  nothingWaits: 'Nichts wartet auf eine Antwort.',
};
