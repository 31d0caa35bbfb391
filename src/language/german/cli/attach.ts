import type { CliPart } from '../../cli-message.ts';

export const cliAttach: CliPart<'cliAttach'> = {
  begun:
    '{title} mit der Sitzung von {agent}. Was du tippst, wird Teil der Unterhaltung. Der Agent wartet mit neuen Zügen, bis du das Programm verlässt.',
  ended: 'Die Sitzung ist wieder bei {agent}. Er beantwortet, was inzwischen ankam.',
  noTerminal: 'Führe diesen Befehl in einem Terminal aus.',
  waiting: 'Der laufende Zug von {agent} wird abgewartet. Strg-C bricht ab.',
};
