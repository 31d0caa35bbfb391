import type { HostSentences } from '../../host-sentences.ts';

/** Errors and warnings of workflow files, with suggested fixes. */
export const workflowFileSentences: HostSentences = {
  'Did you mean {name}?': 'Meintest du {name}?',
  'Step "{step}": {=what}': 'Schritt „{step}“: {what}',
  '{file}, step "{step}": {=what}': '{file}, Schritt „{step}“: {what}',
  'A workflow file may have {n} characters.': 'Die Datei eines Ablaufs darf {n} Zeichen haben.',
  'The file has more than one time limit.': 'Die Datei hat mehr als eine Zeitgrenze.',

  '{field} names {ref}, but there is no such step.':
    '{field} nennt {ref}, aber einen solchen Schritt gibt es nicht.',
  '{field} names {ref}, but a step has no "{name}".':
    '{field} nennt {ref}, aber ein Schritt hat kein „{name}“.',
  '{field} names {ref}, which does not exist.': '{field} nennt {ref}, und das gibt es nicht.',
  '{field} names {ref}, which has not run at this point.':
    '{field} nennt {ref}, und das lief bis hier noch nicht.',
  '{field} names {ref}, which has not run at this point. It runs inside a loop; name the loop instead.':
    '{field} nennt {ref}, und das lief bis hier noch nicht. Es läuft in einer Schleife: Nenne stattdessen die Schleife.',
  '{ref} is always false, because "{step}" asks nobody.':
    '{ref} ist immer falsch, denn „{step}“ fragt niemanden.',
  '{ref} is always empty, because "{step}" asks for no answer.':
    '{ref} ist immer leer, denn „{step}“ fragt nach keiner Antwort.',
  '{ref} is always empty, because nobody can say no to "{step}".':
    '{ref} ist immer leer, denn niemand kann zu „{step}“ Nein sagen.',
  'A rejection of "{step}" ends the run, so this never runs.':
    'Wird „{step}“ abgelehnt, endet der Lauf; das hier läuft also nie.',
  'Say on_reject: continue there, or put the steps under on_reject.':
    'Schreib dort on_reject: continue, oder setz die Schritte unter on_reject.',
  'Name the id of an earlier step.': 'Nenne die id eines früheren Schritts.',
  'Name an input step.': 'Nenne einen Schritt mit input.',
  'Give that step an approval.': 'Gib diesem Schritt ein approval.',
  'A step has {fields}.': 'Ein Schritt hat {fields}.',
  'For a variable of the shell write {ref}.': 'Für eine Variable der Shell schreib {ref}.',
  'Declare it under args, or write \\$ for a dollar sign.':
    'Nenne es unter args, oder schreib \\$ für ein Dollarzeichen.',
  "The file's own env and cwd cannot name the step {step}.":
    'env und cwd der Datei selbst können den Schritt {step} nicht nennen.',
  'Stage {n} of the pipeline: {=what}': 'Stufe {n} der Pipeline: {what}',
  'Nobody can be asked inside wait: any, because the first branch to finish would leave the question open.':
    'In wait: any kann niemand gefragt werden, denn der erste fertige Zweig ließe die Frage offen.',
  'Use wait: all, or ask before the branches.': 'Nimm wait: all, oder frag vor den Zweigen.',

  'cwd must be a relative path inside the working folder.':
    'cwd muss ein relativer Pfad innerhalb des Arbeitsordners sein.',
  '{field} takes a raw value: whoever supplies it can run any command.':
    '{field} nimmt einen rohen Wert: Wer ihn liefert, kann jeden Befehl ausführen.',
  'Leave out "raw:" to have it quoted.': 'Lass „raw:“ weg, dann wird er in Anführungszeichen gesetzt.',
  'A value stands where it cannot be quoted safely (eval, sh -c, | sh, ssh, a here-document, backticks or arithmetic), so that only a plain word will be let in.':
    'Ein Wert steht, wo er sich nicht sicher in Anführungszeichen setzen lässt (eval, sh -c, | sh, ssh, Here-Dokument, Backticks oder Arithmetik); nur ein einfaches Wort wird hineingelassen.',
  'Hand it over as a variable: env: {VALUE: …} and "$VALUE", or on standard input.':
    'Übergib ihn als Variable: env: {VALUE: …} und "$VALUE", oder über die Standardeingabe.',
  'A value stands right behind a dollar sign, which a shell would read together with it.':
    'Ein Wert steht direkt hinter einem Dollarzeichen, und eine Shell läse beides zusammen.',
  'Write \\$ for a dollar sign.': 'Schreib \\$ für ein Dollarzeichen.',
  '{field} puts a value into code of {program}, where quotes of the shell do not protect: whoever supplies it can change what is done.':
    '{field} setzt einen Wert in Code von {program}, wo Anführungszeichen der Shell nicht schützen: Wer ihn liefert, kann ändern, was geschieht.',
  'Hand it over as a variable, env: {VALUE: …}, and write {there} there.':
    'Übergib ihn als Variable, env: {VALUE: …}, und schreib dort {there}.',
  'Hand it over with --arg value …, and write $value there.':
    'Übergib ihn mit --arg value …, und schreib dort $value.',
  'Put that text into single quotes, so that only the inner shell reads "$VALUE".':
    'Setz diesen Text in einfache Anführungszeichen, dann liest erst die innere Shell "$VALUE".',
  'Use awk: hand it over as a variable, env: {VALUE: …}, and write ENVIRON["VALUE"] there.':
    'Nimm awk: Übergib ihn als Variable, env: {VALUE: …}, und schreib dort ENVIRON["VALUE"].',
  'Send it on standard input.': 'Schick ihn über die Standardeingabe.',
  'Use a program that takes values apart from the statement, and hand it over on standard input.':
    'Nimm ein Programm, das Werte getrennt von der Anweisung nimmt, und übergib ihn über die Standardeingabe.',
  'A step that must happen once is tried again after a failure that may have done half of it.':
    'Ein Schritt, der einmal geschehen muss, wird nach einem Fehlschlag wiederholt, der ihn halb getan haben kann.',
  'Say effect: idempotent if doing it twice is harmless.':
    'Schreib effect: idempotent, wenn zweimal nicht schadet.',
  'The condition is never true, so the step never runs.':
    'Die Bedingung ist nie wahr, also läuft der Schritt nie.',
  'The work of this step is done before anybody is asked; only what follows waits.':
    'Die Arbeit dieses Schritts ist getan, bevor jemand gefragt wird; nur was folgt, wartet.',
  '{n} people must agree, and none is named: in Kennel only you are asked, so it would wait for ever.':
    'Es müssen {n} Leute zustimmen, und niemand ist genannt: In Kennel wirst nur du gefragt, also würde es ewig warten.',
  'Whoever starts it may not approve it, and nobody is named: what you start yourself would wait for ever.':
    'Wer ihn startet, darf ihn nicht freigeben, und niemand ist genannt: Was du selbst startest, würde ewig warten.',
  'Everybody who is named must agree, and whoever starts it may not: what one of them starts would wait for ever.':
    'Alle Genannten müssen zustimmen, und wer ihn startet, darf nicht: Was einer von ihnen startet, würde ewig warten.',
  'Name one more than needed.': 'Nenne eine Person mehr, als nötig ist.',
  'Name {n} different people, or let fewer be needed.':
    'Nenne {n} verschiedene Personen, oder verlange weniger.',
  'Name them: approvers: [alice-1a2b, bob-3c4d].': 'Nenne sie: approvers: [alice-1a2b, bob-3c4d].',
  'Put the approval into a step of its own before it, or say effect: pure.':
    'Setz das approval als eigenen Schritt davor, oder schreib effect: pure.',
  'response_schema must be a JSON schema.': 'response_schema muss ein JSON-Schema sein.',
  '{place} must be an object.': '{place} muss ein Objekt sein.',
  '{place} must be a list.': '{place} muss eine Liste sein.',
  '{place} must be a list of names.': '{place} muss eine Liste von Namen sein.',
  '{place} is nested too deeply.': '{place} ist zu tief verschachtelt.',
  '{place} must be one of {values}.': '{place} muss eines davon sein: {values}.',
  '"{text}" is not a time.': '„{text}“ ist keine Zeit.',
  'Write it like 2030-01-31T08:00:00Z.': 'Schreib sie wie 2030-01-31T08:00:00Z.',
  '"{name}" cannot be the name of a variable.': '„{name}“ kann keine Variable heißen.',

  '"{name}" cannot be the name of an argument.': '„{name}“ kann kein Argument heißen.',
  'The default of argument "{name}" does not fit its type.':
    'Die Vorgabe des Arguments „{name}“ passt nicht zu seinem Typ.',
  'Argument "{name}" is required and has a default.':
    'Das Argument „{name}“ ist nötig und hat doch eine Vorgabe.',
  'Arguments "{one}" and "{two}" have one variable.':
    'Die Argumente „{one}“ und „{two}“ haben dieselbe Variable.',
  '{file} needs the argument "{name}".': '{file} braucht das Argument „{name}“.',
  '{file} has no argument "{name}".': '{file} hat kein Argument „{name}“.',
  '{file} is not there or cannot be read.': '{file} ist nicht da oder lässt sich nicht lesen.',
  '{file} would start itself again, a cycle: {way}.':
    '{file} würde sich selbst wieder starten, im Kreis: {way}.',
  'Workflows may start each other {n} deep.': 'Abläufe dürfen einander {n} Ebenen tief starten.',

  'Step "{step}" names both required_approver and approvers.':
    'Schritt „{step}“ nennt required_approver und approvers.',
  'Step "{step}" needs {n} approvals and names {people} people: nobody could ever pass it.':
    'Schritt „{step}“ braucht {n} Freigaben und nennt {people} Personen: Niemand käme je hindurch.',
  'nobody can say no to an input; on_reject means nothing.':
    'Zu einem input kann niemand Nein sagen; on_reject bedeutet nichts.',
  "an answer is one person's, so that several cannot agree to it.":
    'Eine Antwort ist die einer Person, mehrere können ihr nicht zustimmen.',
  'Put an approval with needed behind the input, and show the answer there.':
    'Setz ein approval mit needed hinter das input, und zeig dort die Antwort.',
  'Step "{step}" reminds only when its time is over.':
    'Schritt „{step}“ erinnert erst, wenn seine Zeit vorbei ist.',
  'Step "{step}" has an approval that asks nothing.': 'Schritt „{step}“ hat ein approval, das nichts fragt.',
  'Write the question, or leave the field out.': 'Schreib die Frage, oder lass das Feld weg.',
  'Step "{step}" asks for approval without a text.': 'Schritt „{step}“ bittet ohne Text um Freigabe.',
  'Write what the person agrees to.': 'Schreib, wozu die Person Ja sagt.',
  'Step "{step}" asks for an answer without a text.': 'Schritt „{step}“ bittet ohne Text um eine Antwort.',

  'Step "{step}": for_each needs a reference to a list, such as $list.json.':
    'Schritt „{step}“: for_each braucht den Verweis auf eine Liste, etwa $list.json.',
  'Step "{step}" loops over nothing to do: steps are missing.':
    'Die Schleife „{step}“ hat nichts zu tun: steps fehlt.',
  'Step "{step}" can only define one of {kinds}.': 'Schritt „{step}“ darf nur eines haben von {kinds}.',
  'Step "{step}" does nothing.': 'Schritt „{step}“ tut nichts.',
  'Give it one of {kinds}.': 'Gib ihm eines von {kinds}.',
  'Step "{step}" has when and condition; when counts.':
    'Schritt „{step}“ hat when und condition; es zählt when.',
  'Step "{step}" has more than one time limit.': 'Schritt „{step}“ hat mehr als eine Zeitgrenze.',
  'Step "{step}": {field} means nothing on a step of kind {kind}.':
    'Schritt „{step}“: {field} bedeutet bei der Art {kind} nichts.',
  'Step "{step}": agent needs a goal.': 'Schritt „{step}“: agent braucht ein goal.',
  'Step "{step}", {field}: {=what}': 'Schritt „{step}“, {field}: {what}',
  'The file: {=what}': 'Die Datei: {what}',
  'The file, {field}: {=what}': 'Die Datei, {field}: {what}',
  'Argument "{name}": {=what}': 'Argument „{name}“: {what}',
  'Argument "{name}", {field}: {=what}': 'Argument „{name}“, {field}: {what}',
  'Unknown field {names}.': 'Unbekanntes Feld: {names}.',
  'Unknown field "{name}" (did you mean "{meant}"?).': 'Unbekanntes Feld „{name}“. Meintest du „{meant}“?',
  'It is missing.': 'Es fehlt.',
  'It must be {~kind}.': 'Es muss {kind} sein.',
  'a list': 'eine Liste',
  'a number': 'eine Zahl',
  'a text': 'ein Text',
  'a whole number': 'eine ganze Zahl',
  fields: 'eine Gruppe von Feldern',
  'true or false': 'true oder false',
  'It must be one of {values}.': 'Es muss eines davon sein: {values}.',
  'It must not be empty.': 'Es darf nicht leer sein.',
  'It must be at least {n}.': 'Es muss mindestens {n} sein.',
  'It must be more than {n}.': 'Es muss mehr als {n} sein.',
  'It may be at most {n}.': 'Es darf höchstens {n} sein.',
  'It may have at most {n} characters.': 'Es darf höchstens {n} Zeichen haben.',
  'It may have at most {n} parts.': 'Es darf höchstens {n} Teile haben.',
  'It {=what}.': 'Es {what}.',
  'must be a time such as 30s, 15m, 2h or 7d': 'muss eine Zeit wie 30s, 15m, 2h oder 7d sein',
  'Write agent: {name: …, goal: …}.': 'Schreib agent: {name: …, goal: …}.',
  'A step has no usable id.': 'Ein Schritt hat keine brauchbare id.',
  'An id has letters, digits, - and _, at most 64.':
    'Eine id besteht aus Buchstaben, Ziffern, - und _, höchstens 64.',
  'Duplicate workflow step id: {id}': 'Die id {id} kommt zweimal vor',
  'Steps may be nested {n} deep, and a file may have {all} of them.':
    'Schritte dürfen {n} Ebenen tief stehen, und eine Datei darf {all} davon haben.',
  'A number is not finite.': 'Eine Zahl ist nicht endlich.',
  'The number {n} is too large to be kept exactly; write it in quotes.':
    'Die Zahl {n} ist zu groß, um sie genau zu behalten: Schreib sie in Anführungszeichen.',
  'Values may be nested {n} deep.': 'Werte dürfen {n} Ebenen tief stehen.',
  'This text in double quotes is not closed or has an escape that does not exist.':
    'Dieser Text in doppelten Anführungszeichen ist nicht geschlossen, oder ein Zeichen hinter \\ gibt es nicht.',
  '"{ref}" is not a reference like $step.json.field.': '„{ref}“ ist kein Verweis wie $step.json.field.',
  '"{text}" is not understood here.': '„{text}“ ist hier nicht zu verstehen.',
  'The condition is nested too deep.': 'Die Bedingung ist zu tief verschachtelt.',
  'The condition is too long.': 'Die Bedingung ist zu lang.',
  'Nothing more may follow here.': 'Hier darf nichts mehr folgen.',
  'A comparison cannot be chained; join two with &&.':
    'Vergleiche lassen sich nicht aneinanderhängen: Verbinde zwei mit &&.',
  'A closing bracket is missing.': 'Eine schließende Klammer fehlt.',
  'A value or a reference is missing.': 'Ein Wert oder ein Verweis fehlt.',
  'A bare word may stand on the right side of a comparison only.':
    'Ein bloßes Wort darf nur rechts in einem Vergleich stehen.',
};
