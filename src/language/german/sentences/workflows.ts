import type { HostSentences } from '../../host-sentences.ts';

/** Gates of workflow runs, and why an answer was rejected. */
export const workflowSentences: HostSentences = {
  'asks: {~prompt}': 'fragt: {prompt}',
  'asks about {workflow}: {~prompt}': 'fragt wegen {workflow}: {prompt}',
  'The run goes on only when this is approved.': 'Der Lauf geht nur weiter, wenn das freigegeben wird.',
  'The run goes on with what you answer.': 'Der Lauf geht mit deiner Antwort weiter.',
  'Kennel ended between the start of this step and its end, so nobody knows whether it did its work.':
    'Zwischen Anfang und Ende dieses Schritts ging Kennel zu Ende, also weiß niemand, ob er seine Arbeit getan hat.',
  'The run goes on only when this is approved. {workflow} was started by you.':
    'Der Lauf geht nur weiter, wenn das freigegeben wird. {workflow} hast du gestartet.',
  'The run goes on only when this is approved. {workflow} was started by {name}.':
    'Der Lauf geht nur weiter, wenn das freigegeben wird. {workflow} wurde von {name} gestartet.',
  'The run goes on with what you answer. {workflow} was started by you.':
    'Der Lauf geht mit deiner Antwort weiter. {workflow} hast du gestartet.',
  'The run goes on with what you answer. {workflow} was started by {name}.':
    'Der Lauf geht mit deiner Antwort weiter. {workflow} wurde von {name} gestartet.',
  'Kennel ended between the start of this step and its end, so nobody knows whether it did its work. {workflow} was started by you.':
    'Zwischen Anfang und Ende dieses Schritts ging Kennel zu Ende, also weiß niemand, ob er seine Arbeit getan hat. {workflow} hast du gestartet.',
  'Kennel ended between the start of this step and its end, so nobody knows whether it did its work. {workflow} was started by {name}.':
    'Zwischen Anfang und Ende dieses Schritts ging Kennel zu Ende, also weiß niemand, ob er seine Arbeit getan hat. {workflow} wurde von {name} gestartet.',
  'this step of this run, once': 'dieser Schritt dieses Laufs, einmal',
  "What comes behind '{step}' depends on an answer, and an answer is good for its own run only.":
    'Was hinter „{step}“ kommt, hängt von einer Antwort ab, und eine Antwort gilt nur für ihren eigenen Lauf.',
  "The run did not come past '{step}'.": 'Der Lauf kam nicht an „{step}“ vorbei.',
  "The run left out what comes behind '{step}', because that failed.":
    'Der Lauf hat ausgelassen, was hinter „{step}“ kommt, weil dieser Schritt scheiterte.',
  "Of '{step}' only the first branch counts: nothing in it can be done again by itself.":
    'Von „{step}“ zählt nur der erste Zweig: nichts darin kann allein noch einmal getan werden.',
  "'{step}' is reached only when nobody answers '{gate}' in time.":
    '„{step}“ wird nur erreicht, wenn niemand „{gate}“ rechtzeitig beantwortet.',
  "There is no step '{step}' that this run came to.": 'Dieser Lauf kam zu keinem Schritt „{step}“.',
  "Run it again from '{step}'.": 'Führe ihn ab „{step}“ noch einmal aus.',
  'Run it again from its beginning.': 'Führe ihn von Anfang an noch einmal aus.',
  'This idempotency key belongs to another run.': 'Dieser Schlüssel gehört zu einem anderen Lauf.',
  'Use another one.': 'Nimm einen anderen.',
  'This was decided before.': 'Das wurde schon entschieden.',
  'This run has ended.': 'Dieser Lauf ist zu Ende.',
  'The time to decide this is over: it has expired.': 'Die Zeit, das zu entscheiden, ist abgelaufen.',
  'Only {names} can decide this; you are {who} here.':
    'Entscheiden kann das nur {names}; du bist hier {who}.',
  'The run still waits for them.': 'Der Lauf wartet weiter darauf.',
  'Only a person can decide this; the run still waits.':
    'Das kann nur ein Mensch entscheiden; der Lauf wartet noch.',
  'Decide it in the app or on the command line.': 'Entscheide es in der App oder im Terminal.',
  'This needs a known identity, and yours is not known.':
    'Dazu muss man wissen, wer du bist, und das ist nicht bekannt.',
  'Say who you are and try again.': 'Sag, wer du bist, und versuch es noch einmal.',
  'Somebody other than the initiator must decide this, and nobody knows who started the run.':
    'Das muss jemand anderes entscheiden, als wer den Lauf begann, und das weiß niemand.',
  'Start it again under a known identity.': 'Starte ihn noch einmal unter einem bekannten Namen.',
  'You started this run, so somebody else must decide.':
    'Du hast diesen Lauf gestartet, also muss jemand anderes entscheiden.',
  'This question takes {what}; it stays open.': 'Diese Frage will {what}; sie bleibt offen.',
  'Answer it that way.': 'Antworte so.',
  'The response does not fit the schema: {why}. The question stays open.':
    'Die Antwort passt nicht zum Schema: {why}. Die Frage bleibt offen.',
  "There is no argument '{name}'.": 'Ein Argument „{name}“ gibt es nicht.',
  "Did you mean '{name}'?": 'Meintest du „{name}“?',
  "'{step}' was given up after it had been interrupted.":
    '„{step}“ wurde nach einer Unterbrechung aufgegeben.',
  "'{step}' was not approved.": '„{step}“ wurde nicht freigegeben.',
  "'{step}' was not approved: {reason}": '„{step}“ wurde nicht freigegeben: {reason}',
  "Nobody decided '{step}' in time.": 'Über „{step}“ hat niemand rechtzeitig entschieden.',
  "Step '{step}' was cancelled.": 'Schritt „{step}“ wurde abgebrochen.',
  'Another branch was first.': 'Ein anderer Zweig war zuerst fertig.',
  "Step '{step}' was interrupted. Perhaps it did its work, perhaps not. Was it done (attempt {n})?":
    'Schritt „{step}“ wurde unterbrochen. Vielleicht hat er seine Arbeit getan, vielleicht nicht. Ist sie getan (Versuch {n})?',
  "Step '{step}' needs a list to go through, and its reference is none.":
    'Schritt „{step}“ braucht eine Liste, und sein Verweis ist keine.',
  "Step '{step}' timed out after {n}ms": 'Schritt „{step}“ lief über seine {n} ms hinaus',
  'The run timed out after {n}ms': 'Der Lauf lief über seine {n} ms hinaus',
  'The run has cost ${cost} of simulated money; its limit is ${limit}.':
    'Der Lauf hat {cost} $ gedachtes Geld gekostet; seine Grenze ist {limit} $.',
  'The run may cost ${limit}, and the price of {n} of its tokens is unknown. Set a price for their model.':
    'Der Lauf darf {limit} $ kosten, und der Preis von {n} seiner Token ist unbekannt. Setze einen Preis für ihr Modell.',
  'The run has cost ${cost}; its limit is ${limit}.':
    'Der Lauf hat {cost} $ gekostet; seine Grenze ist {limit} $.',
  "Step '{step}' failed ({how})": 'Schritt „{step}“ ist gescheitert ({how})',
  "Step '{step}' failed ({how}): {what}": 'Schritt „{step}“ ist gescheitert ({how}): {what}',
  "Step '{step}' waits until '{text}', which is not a time such as 2026-05-01T09:00:00Z.":
    'Schritt „{step}“ wartet bis „{text}“, und das ist keine Zeit wie 2026-05-01T09:00:00Z.',
  "'{file}' was not there when this run began.": '„{file}“ war nicht da, als dieser Lauf begann.',
  "The output of step '{step}' is gone or damaged; nothing went on.":
    'Die Ausgabe von Schritt „{step}“ ist weg oder beschädigt; es ging nichts weiter.',
  'The pinned definition of this run is gone or damaged; nothing went on.':
    'Die festgehaltene Fassung dieses Laufs ist weg oder beschädigt; es ging nichts weiter.',
  'The run failed.': 'Der Lauf ist gescheitert.',
  'The value of "{name}" cannot be quoted safely where the command uses it.':
    'Der Wert von „{name}“ lässt sich dort, wo der Befehl ihn nimmt, nicht sicher in Anführungszeichen setzen.',
  'Hand it over as a variable of the step: env: {VALUE: …} and "$VALUE" in the command.':
    'Übergib ihn als Variable des Schritts: env: {VALUE: …} und "$VALUE" im Befehl.',
  "Step '{step}' goes no further: {=limit}.": 'Schritt „{step}“ geht nicht weiter: {limit}.',
  "Step '{step}' may cost ${limit}, and the price of its model is unknown.":
    'Schritt „{step}“ darf {limit} $ kosten, und der Preis seines Modells ist unbekannt.',
  'It may cost ${limit}, and the price of {provider}/{model} is unknown. The model was not asked.':
    'Es darf {limit} $ kosten, und der Preis von {provider}/{model} ist unbekannt. Das Modell wurde nicht gefragt.',
  'Set a price for the model.': 'Setze einen Preis für das Modell.',
  "The model's answer to '{step}' does not fit: {why}.":
    'Die Antwort des Modells auf „{step}“ passt nicht: {why}.',
  '{what} needs a running Kennel; nothing was done.':
    '{what} braucht ein laufendes Kennel; es wurde nichts getan.',
  'The file is not there, or not below the working folder.':
    'Die Datei ist nicht da oder nicht unterhalb des Arbeitsordners.',
  'The program {name} was not found.': 'Das Programm {name} wurde nicht gefunden.',
  'Check its path, and that it may be run.': 'Prüfe seinen Pfad, und ob es laufen darf.',
  'Check its spelling and your PATH.': 'Prüfe die Schreibweise und deinen PATH.',
  'The program was stopped: its output exceeded {n} bytes.':
    'Das Programm wurde beendet: Seine Ausgabe überschritt {n} Byte.',
  'There is no run "{id}".': 'Einen Lauf „{id}“ gibt es nicht.',
  'List them with "kennel puppy list".': '„kennel puppy list“ zeigt sie.',
  'There is no workflow named {name}.': 'Einen Ablauf namens {name} gibt es nicht.',
  'A workflow file ends in {endings}.': 'Die Datei eines Ablaufs endet auf {endings}.',
  'Call it {name}.puppy.': 'Nenne sie {name}.puppy.',
  'There is something at this place already. It was left as it is.':
    'An dieser Stelle liegt schon etwas. Es blieb, wie es ist.',
  'The folder for this file is not there.': 'Den Ordner für diese Datei gibt es nicht.',
  'The disk is full. Nothing was written.': 'Der Datenträger ist voll. Es wurde nichts geschrieben.',
  'The file could not be written ({code}).': 'Die Datei war nicht zu schreiben ({code}).',
};
