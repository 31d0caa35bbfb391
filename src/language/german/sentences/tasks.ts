import type { HostSentences } from '../../host-sentences.ts';

/** Why a task ended or rejected an action. */
export const taskSentences: HostSentences = {
  'You cancelled the task.': 'Du hast die Aufgabe abgebrochen.',
  'Another worker has this task now.': 'Diese Aufgabe hat jetzt ein anderer Arbeitsplatz.',
};
