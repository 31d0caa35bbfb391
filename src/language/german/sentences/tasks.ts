import type { HostSentences } from '../../host-sentences.ts';

/** Why a task ended or rejected an action. */
export const taskSentences: HostSentences = {
  'You cancelled it.': 'Du hast sie abgebrochen.',
  'You cancelled it. The run {run} that it waited for goes on by itself; "kennel puppy cancel {again}" ends that, too.':
    'Du hast sie abgebrochen. Der Lauf {run}, auf den sie wartete, geht für sich weiter; „kennel puppy cancel {again}“ beendet auch ihn.',
  'It had failed before it was imported.': 'Sie war schon gescheitert, bevor sie importiert wurde.',
  'Work on it broke off {n} times in a row before a step was done.':
    'Die Arbeit daran brach {n}-mal hintereinander ab, bevor ein Schritt fertig war.',
  'all {n} steps are used': 'alle {n} Schritte sind getan',
  'all {n} tokens are used': 'alle {n} Token sind verbraucht',
  'all ${n} are used': 'alle {n} $ sind verbraucht',
  "all ${n} of the demo's simulated money are used": 'alle {n} $ vom gedachten Geld der Demo sind verbraucht',
  'Task {id} is {status}: {=what}': 'Bei Aufgabe {id} geht das gerade nicht: {what}',
  'there is nothing to pause.': 'Es gibt nichts anzuhalten.',
  'only a paused task can be resumed.': 'Weitermachen kann nur eine angehaltene Aufgabe.',
  'there is nothing to cancel.': 'Es gibt nichts abzubrechen.',
  'it succeeded. Fork it to do it again from a step.':
    'Sie ist erledigt. Zweige von ihr ab, um sie ab einem Schritt noch einmal zu tun.',
  'only a task that failed can be retried.': 'Noch einmal laufen kann nur eine gescheiterte Aufgabe.',
  'It answered {n} times without doing anything.': 'Er antwortete {n}-mal, ohne etwas zu tun.',
  'It answered {n} times without doing anything. Its last words: {words}':
    'Er antwortete {n}-mal, ohne etwas zu tun. Zuletzt sagte er: {words}',
  'You cancelled the task.': 'Du hast die Aufgabe abgebrochen.',
  'Another worker has this task now.': 'Diese Aufgabe hat jetzt ein anderer Arbeitsplatz.',
  'Another worker has this task now. Nothing was changed.':
    'Diese Aufgabe hat jetzt ein anderer Arbeitsplatz. Es wurde nichts geändert.',
  'The task goes on another time.': 'Die Aufgabe geht ein andermal weiter.',
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
  'Task {id} was cancelled.': 'Aufgabe {id} wurde abgebrochen.',
  'Task {id} did not come to its end: {why}': 'Aufgabe {id} kam nicht zu ihrem Ende: {why}',
  'The task could not be stored.': 'Die Aufgabe war nicht zu speichern.',
};
