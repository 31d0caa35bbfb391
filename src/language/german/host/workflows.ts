import type { HostSentences } from '../../host-sentences.ts';

/** What runs of workflows ask, and why an answer did not count. */
export const workflowSentences: HostSentences = {
  'asks: {prompt}': 'fragt: {prompt}',
  'asks about {workflow}: {prompt}': 'fragt wegen {workflow}: {prompt}',
  'The run goes on only when this is approved.': 'Der Lauf geht nur weiter, wenn das freigegeben wird.',
  'The run goes on with what you answer.': 'Der Lauf geht mit deiner Antwort weiter.',
  'A crash came between the start of this step and its end, so nobody knows whether it did its work.':
    'Zwischen Anfang und Ende dieses Schritts kam ein Absturz, also weiß niemand, ob er seine Arbeit getan hat.',
  '{workflow} was started by you.': '{workflow} hast du gestartet.',
  '{workflow} was started by {name}.': '{workflow} wurde von {name} gestartet.',
  'this step of this run, once': 'dieser Schritt dieses Laufs, einmal',
  'This was decided before.': 'Das wurde schon entschieden.',
  'This run has ended.': 'Dieser Lauf ist zu Ende.',
  'The time to decide this is over.': 'Die Zeit, das zu entscheiden, ist vorbei.',
  'Workflows do not run just now, so nothing was decided.':
    'Abläufe laufen gerade nicht, also wurde nichts entschieden.',
  'Try again in a moment; the question still waits.': 'Versuch es gleich noch einmal, die Frage wartet noch.',
};
