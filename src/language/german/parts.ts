import type { Words } from '../words.ts';

export const parts: Words<'parts'> = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saving: 'Wird gespeichert…',
  keepWriting: 'Weiterschreiben',
  linesChanged:
    '{added, plural, one {# Zeile} other {# Zeilen}} hinzugefügt, {removed, plural, one {# Zeile} other {# Zeilen}} entfernt.',
  linesSame: '{count, plural, one {# Zeile} other {# Zeilen}} unverändert',
  changedLines: 'Geänderte Zeilen',
  addedLine: 'hinzugefügt: ',
  removedLine: 'entfernt: ',
  unseen: 'Ein Zeichen, das man nicht sieht',
  messages: 'Meldungen von Kennel',
  explanation: 'Erklärung',
  dismiss: 'Ausblenden',
  since: 'seit {time}',
};
