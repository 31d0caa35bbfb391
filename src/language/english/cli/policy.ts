export const cliPolicy = {
  different: 'Different from then:',
  holdsNoRules: '{path} does not hold rules.',
  notYaml: '{path} is not YAML: {why}',
  nothingDifferent: 'Nothing would be different.',
  ruleList: 'A list of: action (allow, ask, deny), tool, pattern, path, risk.',
  sums: 'Of {calls} {calls|call|calls}: {allowed} allowed, {asked} asked about, {denied} denied.',
  tooLarge: 'The file is too large for rules.',
} as const;
