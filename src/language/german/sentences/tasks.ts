import type { HostSentences } from '../../host-sentences.ts';

/** Why a task ended or rejected an action. */
export const taskSentences: HostSentences = {
  'You cancelled it.': 'Du hast sie abgebrochen.',
  'You cancelled it. The run {run} that it waited for goes on by itself; "kennel puppy cancel {again}" ends that, too.':
    'Du hast sie abgebrochen. Der Lauf {run}, auf den sie wartete, geht für sich weiter; „kennel puppy cancel {again}“ beendet auch ihn.',
  'It had failed before it was imported.': 'Sie war schon gescheitert, bevor sie importiert wurde.',
  'Work on it broke off {n} times in a row before a step was done.':
    'Die Arbeit daran brach {n}-mal hintereinander ab, bevor ein Schritt fertig war.',
  'It answered {n} times without doing anything.': 'Er antwortete {n}-mal, ohne etwas zu tun.',
  'It answered {n} times without doing anything. Its last words: {words}':
    'Er antwortete {n}-mal, ohne etwas zu tun. Zuletzt sagte er: {words}',
  'You cancelled the task.': 'Du hast die Aufgabe abgebrochen.',
  'Another worker has this task now.': 'Diese Aufgabe hat jetzt ein anderer Arbeitsplatz.',
};
