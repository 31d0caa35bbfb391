import type { CliPart } from '../../cli-message.ts';

export const cliLogs: CliPart<'cliLogs'> = {
  listAgents: '„kennel agent list“ zeigt alle Agenten.',
  noAgent: 'Es gibt keinen Agenten „{agent}“, und keine Zeile des Protokolls handelt von ihm.',
  noLines: 'Das Protokoll hat noch keine solchen Zeilen.',
};
