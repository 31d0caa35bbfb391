/** Wrong command lines. */
export const cliUsageErrors = {
  unknownOption: '"{line}" has no option {flag}.',
  otherOption: '"{line}" has no option {flag}. Did you mean {meant}?',
  optionElsewhere: '"{line}" has no option {flag}. It is an option of "{other}".',
  seeOptions: 'Run "{line} --help" to see its options.',
  unknownCommand: '"{line}" has no command "{word}".',
  otherCommand: '"{line}" has no command "{word}". Did you mean {meant}?',
  commandsElsewhere: '"{line}" has no command "{word}". Other commands have it: {meant}.',
  seeCommands: 'Run "{line} --help" to see all commands.',
  noArguments: '"{line}" takes no arguments, but got: {given}.',
  fewerArguments: '"{line}" takes {count} {count|argument|arguments}, but got: {given}.',
  quoteSpaces: 'Put text with spaces into quotes. Run "{line} --help" for examples.',
  missing: '"{line}" needs {what}.',
  missingValue: '{flags} needs a value.',
  unreadable: 'Kennel cannot read this command line: {why}.',
  seeUsage: 'Run "{line} --help" to see how it is used.',
} as const;
