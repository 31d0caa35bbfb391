import type { CliPart } from '../../cli-message.ts';

export const cliUsageErrors: CliPart<'cliUsageErrors'> = {
  unknownOption: '„{line}“ hat keine Option {flag}.',
  otherOption: '„{line}“ hat keine Option {flag}. Meintest du {meant}?',
  optionElsewhere: '„{line}“ hat keine Option {flag}. Sie gehört zu „{other}“.',
  seeOptions: '„{line} --help“ zeigt die Optionen.',
  unknownCommand: '„{line}“ hat keinen Befehl „{word}“.',
  otherCommand: '„{line}“ hat keinen Befehl „{word}“. Meintest du {meant}?',
  commandsElsewhere: '„{line}“ hat keinen Befehl „{word}“. Andere Befehle haben ihn: {meant}.',
  seeCommands: '„{line} --help“ zeigt alle Befehle.',
  noArguments: '„{line}“ nimmt keine Argumente, bekam aber: {given}.',
  fewerArguments: '„{line}“ nimmt {count} {count|Argument|Argumente}, bekam aber: {given}.',
  quoteSpaces: 'Setze Text mit Leerzeichen in Anführungszeichen. „{line} --help“ zeigt Beispiele.',
  missing: '„{line}“ braucht {what}.',
  missingValue: '{flags} braucht einen Wert.',
  unreadable: 'Kennel kann diese Befehlszeile nicht lesen: {why}.',
  seeUsage: '„{line} --help“ zeigt, wie der Befehl verwendet wird.',
};
