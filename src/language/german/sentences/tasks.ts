import type { HostSentences } from '../../host-sentences.ts';

/** Why a task ended or rejected an action. */
export const taskSentences: HostSentences = {
  'You cancelled it.': 'Du hast sie abgebrochen.',
  'You cancelled it. The run {run} that it waited for goes on by itself; "kennel puppy cancel {again}" ends that, too.':
    'Du hast sie abgebrochen. Der Lauf {run}, auf den sie wartete, geht für sich weiter; „kennel puppy cancel {again}“ beendet auch ihn.',
  'It had failed before it was imported.': 'Sie war schon gescheitert, bevor sie importiert wurde.',
  'Work on it broke off {n} times in a row before a step was done.':
    'Die Arbeit daran brach {n}-mal hintereinander ab, bevor ein Schritt fertig war.',
  "The task's budget is spent: {=limit}. What it did is kept.":
    'Das Budget der Aufgabe ist aufgebraucht: {limit}. Was sie getan hat, bleibt.',
  'all {n} steps are used': 'alle {n} Schritte sind getan',
  'all {n} tokens are used': 'alle {n} Token sind verbraucht',
  'all ${n} are used': 'alle {n} $ sind verbraucht',
  "all ${n} of the demo's simulated money are used": 'alle {n} $ vom gedachten Geld der Demo sind verbraucht',
  "The price of {provider}/{model} is unknown, so the task's budget of ${usd} cannot be kept. The model was not asked. Set a price for the model, or give the task a budget in tokens, then retry the task.":
    'Der Preis von {provider}/{model} ist unbekannt, also lässt sich das Budget der Aufgabe von {usd} $ nicht einhalten. Das Modell wurde nicht gefragt. Setze einen Preis für das Modell oder gib der Aufgabe ein Budget in Token und lass sie dann noch einmal laufen.',
  'Raise the budget and retry the task.': 'Erhöhe das Budget und lass die Aufgabe noch einmal laufen.',
  'There is no task {id}.': 'Eine Aufgabe {id} gibt es nicht.',
  'Task {id} has no step {step}.': 'Aufgabe {id} hat keinen Schritt {step}.',
  'Task {id} is {status}: {=what}': 'Bei Aufgabe {id} geht das gerade nicht: {what}',
  'there is nothing to pause.': 'Es gibt nichts anzuhalten.',
  'only a paused task can be resumed.': 'Weitermachen kann nur eine angehaltene Aufgabe.',
  'there is nothing to cancel.': 'Es gibt nichts abzubrechen.',
  'it succeeded. Fork it to do it again from a step.':
    'Sie ist erledigt. Zweige von ihr ab, um sie ab einem Schritt noch einmal zu tun.',
  'only a task that failed can be retried.': 'Noch einmal laufen kann nur eine gescheiterte Aufgabe.',
  'pause it before you change it.': 'Halte sie an, bevor du sie änderst.',
  'only a pending task can be run.': 'Beginnen kann nur eine Aufgabe, die noch zu tun ist.',
  'Task {id} cannot begin now: every worker, or its agent, is busy or paused.':
    'Aufgabe {id} kann jetzt nicht beginnen: Alle Arbeitsplätze oder ihr Agent sind belegt oder angehalten.',
  'Step {step} has not ended: fork before it.': 'Schritt {step} ist noch nicht zu Ende: Zweige davor ab.',
  'Task {id} does not ask about step {step}.': 'Aufgabe {id} fragt nicht nach Schritt {step}.',
  'Your tasks are locked with your secrets.': 'Deine Aufgaben sind mit deinen Geheimnissen verschlossen.',
  'It answered {n} times without doing anything.': 'Er antwortete {n}-mal, ohne etwas zu tun.',
  'It answered {n} times without doing anything. Its last words: {words}':
    'Er antwortete {n}-mal, ohne etwas zu tun. Zuletzt sagte er: {words}',
  'You cancelled the task.': 'Du hast die Aufgabe abgebrochen.',
  'You asked this task to {what}: no further step is begun.':
    'Du hast diese Aufgabe angehalten oder abgebrochen: Es beginnt kein weiterer Schritt.',
  'Another worker has this task now.': 'Diese Aufgabe hat jetzt ein anderer Arbeitsplatz.',
  'Another worker has this task now. Nothing was changed.':
    'Diese Aufgabe hat jetzt ein anderer Arbeitsplatz. Es wurde nichts geändert.',
  'The task goes on another time.': 'Die Aufgabe geht ein andermal weiter.',
  'Nobody knows whether step {n} happened: it is not repeated.':
    'Niemand weiß, ob Schritt {n} geschah: Er wird nicht wiederholt.',
  'Step {n} has ended already; its first result is kept.':
    'Schritt {n} ist schon zu Ende; sein erstes Ergebnis bleibt.',
  'Step {n} did something else under this call. Its record is kept.':
    'Schritt {n} tat unter diesem Aufruf etwas anderes. Was aufgeschrieben ist, bleibt.',
  'This tasks.json cannot be imported: {why}. Nothing was imported, and the file was left as it is.':
    'Diese tasks.json lässt sich nicht importieren: {why}. Es wurde nichts importiert, und die Datei blieb, wie sie ist.',
  'There is no such file that can be read.': 'Eine solche lesbare Datei gibt es nicht.',
  'The file is larger than {n} MiB. Nothing was imported, and it was left as it is.':
    'Die Datei hat mehr als {n} MiB. Es wurde nichts importiert, und sie blieb, wie sie ist.',
  'Import a copy with fewer tasks.': 'Importiere eine Kopie mit weniger Aufgaben.',
  'The file is no text in UTF-8. Nothing was imported, and it was left as it is.':
    'Die Datei ist kein Text in UTF-8. Es wurde nichts importiert, und sie blieb, wie sie ist.',
  '{=why} {n} of {all} tasks had come in by then.':
    '{why} {n} von {all} Aufgaben waren da schon hereingekommen.',
  'Import the file again when that is mended: what is here is not added twice.':
    'Importiere die Datei noch einmal, wenn das behoben ist: Was schon da ist, kommt nicht doppelt.',
  'Repair the file, or import a copy without what is wrong.':
    'Bring die Datei in Ordnung, oder importiere eine Kopie ohne das, was nicht stimmt.',
  'List them with "kennel task list".': '„kennel task list“ zeigt sie.',
  '"kennel workers" shows who works on what. The task keeps its place in the queue.':
    '„kennel workers“ zeigt, wer woran arbeitet. Die Aufgabe behält ihren Platz.',
  'Several agents are called "{name}".': 'Mehrere Agenten heißen „{name}“.',
  'You are not signed up at a server yet.': 'Du bist noch bei keinem Server angemeldet.',
  'You are in no channel of that id.': 'Du bist in keinem Kanal mit dieser Kennung.',
  'A result goes into the direct messages of the agent that does the task.':
    'Ein Ergebnis geht in die Direktnachrichten des Agenten, der die Aufgabe tut.',
  'Name that agent, or choose a channel.': 'Nenne diesen Agenten, oder wähle einen Kanal.',
  'Start Kennel, or run "kennel unlock" where it runs.':
    'Starte Kennel, oder gib dort, wo es läuft, „kennel unlock“ ein.',
  'Task {id} was cancelled.': 'Aufgabe {id} wurde abgebrochen.',
  'Task {id} did not come to its end: {why}': 'Aufgabe {id} kam nicht zu ihrem Ende: {why}',
  'Kennel is stopping; the task goes on at the next start.':
    'Kennel wird beendet; die Aufgabe geht beim nächsten Start weiter.',
  'The task could not be stored.': 'Die Aufgabe war nicht zu speichern.',
};
