import type { CliPart } from '../../cli-message.ts';

export const cliHeads: CliPart<'cliHeads'> = {
  agent: 'AGENT',
  by: 'VON',
  changed: 'GEÄNDERT',
  handle: 'KENNUNG',
  id: 'ID',
  model: 'MODELL',
  name: 'NAME',
  note: 'NOTIZ',
  saved: 'GESPEICHERT',
  size: 'GRÖSSE',
  state: 'ZUSTAND',
  version: 'VERSION',
  program: 'PROGRAMM',
};
