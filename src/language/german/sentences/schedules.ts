import type { HostSentences } from '../../host-sentences.ts';

/** Errors of schedules, and why one started nothing. */
export const scheduleSentences: HostSentences = {
  'The agent {id} is not here any more.': 'Den Agenten {id} gibt es hier nicht mehr.',
  'It started {one} times within ten minutes for one file, or {all} times for all of them, and is held: perhaps its own work changes {path}. Resume it when that is over.':
    'Er startete in zehn Minuten {one}-mal für eine Datei oder {all}-mal für alle und ist angehalten: Vielleicht ändert seine eigene Arbeit {path}. Schalte ihn wieder ein, wenn das vorbei ist.',
  'The workflow {name} did not start: {~why}': 'Der Ablauf {name} begann nicht: {why}',
  'There is too much below {path}: at most {files} files in {folders} folders are looked at. Name a smaller folder.':
    'Unter {path} liegt zu viel: Angesehen werden höchstens {files} Dateien in {folders} Ordnern. Nenne einen kleineren Ordner.',
  '{path} cannot be read.': '{path} lässt sich nicht lesen.',
  'There is nothing at {path} yet; it begins when there is.':
    'Unter {path} ist noch nichts; es beginnt, sobald dort etwas ist.',
};
