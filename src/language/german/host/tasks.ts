import type { HostSentences } from '../../host-sentences.ts';

/** Why a task ended or cannot do what was asked, and what is wrong with a schedule. */
export const taskSentences: HostSentences = {
  'You cancelled it.': 'Du hast sie abgebrochen.',
  'It had failed before it was imported.': 'Sie war schon gescheitert, bevor sie importiert wurde.',
  'The program that worked on it ended {n} times in a row before a step was done.':
    'Das Programm, das daran arbeitete, endete {n}-mal nacheinander, bevor ein Schritt getan war.',
  "The task's budget is spent: {=limit}. What it did is kept.":
    'Das Budget der Aufgabe ist aufgebraucht: {limit}. Was sie getan hat, bleibt.',
  'all {n} steps are used': 'alle {n} Schritte sind getan',
  'all {n} tokens are used': 'alle {n} Token sind verbraucht',
  'all ${n} are used': 'alle {n} $ sind verbraucht',
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
  'This run is not missed any more: it has run or was put away.':
    'Das ist nicht mehr verpasst: Es lief schon oder wurde weggelegt.',
  'There is a schedule "{name}" already.': 'Einen Zeitplan „{name}“ gibt es schon.',
  'There is no schedule "{name}".': 'Einen Zeitplan „{name}“ gibt es nicht.',
  'Name the file or folder by its whole path.': 'Nenne die Datei oder den Ordner mit dem ganzen Pfad.',
  'Name the workflow file by its whole path.': 'Nenne die Ablauf-Datei mit dem ganzen Pfad.',
  'This is never due: there is no such day.': 'Das tritt nie ein: Einen solchen Tag gibt es nicht.',
  'This is no cron expression.': 'Das ist kein Cron-Ausdruck.',
  'This is no cron expression. {why}': 'Das ist kein Cron-Ausdruck. {why}',
  'For example "0 9 * * 1-5": at nine in the morning, Monday to Friday.':
    'Zum Beispiel „0 9 * * 1-5“: um neun Uhr morgens, Montag bis Freitag.',
  'There is no time zone "{name}".': 'Eine Zeitzone „{name}“ gibt es nicht.',
  'Use a name like "Europe/Berlin" or "UTC".': 'Nimm einen Namen wie „Europe/Berlin“ oder „UTC“.',
  'The agent {id} is not here any more.': 'Den Agenten {id} gibt es hier nicht mehr.',
  'It started {one} times within ten minutes for one file, or {all} times for all of them, and is held: perhaps its own work changes {path}. Resume it when that is over.':
    'Er startete in zehn Minuten {one}-mal für eine Datei oder {all}-mal für alle und ist angehalten: Vielleicht ändert seine eigene Arbeit {path}. Schalte ihn wieder ein, wenn das vorbei ist.',
};
