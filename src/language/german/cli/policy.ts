import type { CliPart } from '../../cli-message.ts';

export const cliPolicy: CliPart<'cliPolicy'> = {
  different: 'Anders als damals:',
  holdsNoRules: '{path} enthält keine Regeln.',
  notYaml: '{path} ist kein YAML: {why}',
  nothingDifferent: 'Nichts wäre anders.',
  ruleList: 'Eine Liste aus: action (allow, ask, deny), tool, pattern, path, risk.',
  sums: 'Von {calls} {calls|Aufruf|Aufrufen}: {allowed} erlaubt, {asked} gefragt, {denied} abgelehnt.',
  tooLarge: 'Die Datei ist zu groß für Regeln.',
};
