import type { HostSentences } from '../../host-sentences.ts';

export const pipelineSentences: HostSentences = {
  'Unknown command: {name}': 'Unbekannter Befehl: {name}',
  'commands.list shows every command.': 'commands.list zeigt jeden Befehl.',
  'The pipeline is longer than {n} characters.': 'Die Pipeline ist länger als {n} Zeichen.',
  'Close the quote that opens here.': 'Schließ das Anführungszeichen, das sich hier öffnet.',
  'Empty command stage.': 'Eine Stufe ohne Befehl.',
  'Each | stands between two commands.': 'Jedes | steht zwischen zwei Befehlen.',
  'A pipeline has at most {n} stages.': 'Eine Pipeline hat höchstens {n} Stufen.',
  '--{flag} is not for agents.': '--{flag} ist nicht für Agenten.',
  'Leave it out: the host uses what its owner has set up.':
    'Lass es weg: Es gilt, was der Besitzer eingerichtet hat.',
  '--{flag} needs a value.': '--{flag} braucht einen Wert.',
  'Write --{flag}=VALUE where the value begins with --.':
    'Schreib --{flag}=WERT, wenn der Wert mit -- beginnt.',
  'Unknown flag of {command}: --{flag}': '{command} kennt --{flag} nicht',
  '--{flag} of {command} must {=what}.': '--{flag} von {command} muss {what}.',
  'be true or false, or stand alone': 'true oder false sein, oder allein stehen',
  'be a non-negative whole number': 'eine ganze Zahl ab 0 sein',
  'be a number': 'eine Zahl sein',
  'be a JSON object': 'ein JSON-Objekt sein',
  'be valid JSON: {why}': 'gültiges JSON sein: {why}',
  'be one of {choices}': 'eines davon sein: {choices}',
  '{command} takes no words.': '{command} nimmt keine Wörter.',
  '{command} takes only {n} word.': '{command} nimmt nur {n} Wort.',
  'Put quotes around what belongs together.': 'Setz in Anführungszeichen, was zusammengehört.',
  'Invalid where expression: {text}': 'where versteht das nicht: {text}',
  'where needs a condition: path OP value, with = == != < <= > >=':
    'where braucht eine Bedingung: Pfad OP Wert, mit = == != < <= > >=',
  'Write path OP value, as in count>=10.': 'Schreib Pfad OP Wert, wie in count>=10.',
  'This path cannot be read: {path}': 'Dieser Pfad lässt sich nicht lesen: {path}',
  'Write a.b or "a key".b': 'Schreib a.b oder "a key".b',
  'pick needs names with commas between them.': 'pick braucht Namen mit Kommas dazwischen.',
  'This is no field=template: {text}': 'Das ist kein feld=vorlage: {text}',
  "Write title='{{name}}'.": "Schreib title='{{name}}'.",
  'map needs --wrap, --unwrap or field=template.': 'map braucht --wrap, --unwrap oder feld=vorlage.',
  'template needs one of --text, --file and a template.':
    'template braucht eines von --text, --file und einer Vorlage.',
  'This template part is not closed: {part}': 'Dieses Stück der Vorlage ist nicht geschlossen: {part}',
  'A key has 1 to {n} characters.': 'Ein Schlüssel hat 1 bis {n} Zeichen.',
  'exec needs either --shell LINE or a program.': 'exec braucht entweder --shell ZEILE oder ein Programm.',
  'exec failed ({code}): {what}': 'exec ist gescheitert ({code}): {what}',
  'exec --json: the program wrote no JSON: {what}': 'exec --json: Das Programm schrieb kein JSON: {what}',
  'llm.invoke needs --prompt.': 'llm.invoke braucht --prompt.',
  '--artifacts-json must be a JSON list.': '--artifacts-json muss eine JSON-Liste sein.',
  '--schema holds a number beyond 2^53, which no schema check can compare.':
    '--schema enthält eine Zahl über 2^53, die sich nicht vergleichen lässt.',
  '--output-schema holds a number beyond 2^53, which no schema check can compare.':
    '--output-schema enthält eine Zahl über 2^53, die sich nicht vergleichen lässt.',
  "The model's answer breaks the schema: {why}": 'Die Antwort des Modells passt nicht zum Schema: {why}',
  '--url must be an http or https address without a password.':
    '--url muss eine http- oder https-Adresse ohne Passwort sein.',
  '{command} has no address.': '{command} hat keine Adresse.',
  'Give --url, or set PUPPY_URL for the host.': 'Gib --url an, oder setz PUPPY_URL für Kennel.',
  '{command} refuses to send the token of this computer to {address}. Nothing was sent.':
    '{command} schickt das Token dieses Computers nicht an {address}. Es ging nichts hinaus.',
  'Give --token for that address.': 'Gib --token für diese Adresse an.',
  'A value of this pipeline would be read as a command by a shell.':
    'Ein Wert dieser Pipeline würde von einer Shell als Befehl gelesen.',
  'Give the program its arguments one by one (exec program "…"), or use a run step.':
    'Gib dem Programm seine Argumente einzeln (exec programm "…"), oder nimm einen run-Schritt.',
};
