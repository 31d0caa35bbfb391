import type { HostSentences } from '../../host-sentences.ts';

/** Gates of workflow runs, and why an answer was rejected. */
export const workflowSentences: HostSentences = {
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
  "The model's answer to '{step}' does not fit: {why}.":
    'Die Antwort des Modells auf „{step}“ passt nicht: {why}.',
  '{what} needs a running Kennel; nothing was done.':
    '{what} braucht ein laufendes Kennel; es wurde nichts getan.',
};
