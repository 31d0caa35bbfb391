import type { CliPart } from '../../cli-message.ts';

export const cliMcp: CliPart<'cliMcp'> = {
  good: 'Gilt, bis Kennel beendet wird, nur für diesen Agenten. Sende den Token als „Authorization: Bearer TOKEN“.',
  lost: 'Kennel ist nicht mehr da.',
  startBoth: 'Starte es mit „kennel start“ und dann das Programm, das es benutzt, noch einmal.',
};
