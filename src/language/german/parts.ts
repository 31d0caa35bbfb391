import type { Words } from '../words.ts';

export const parts: Words<'parts'> = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saving: 'Wird gespeichert…',
  discard: 'Änderungen verwerfen',
  openScreen: '{screen} öffnen',
  unsaved: 'Nicht gespeicherte Änderungen',
  passphraseTitle: 'Wähle eine Passphrase',
  passphraseWhy:
    'Dieser Computer hat keinen Schlüsselbund für deine Geheimnisse. Eine Passphrase verschlüsselt sie; Kennel fragt bei jedem Start danach.',
  keepWriting: 'Weiter bearbeiten',
  linesChanged:
    '{added, plural, one {# Zeile} other {# Zeilen}} hinzugefügt, {removed, plural, one {# Zeile} other {# Zeilen}} entfernt.',
  linesSame: '{count, plural, one {# Zeile} other {# Zeilen}} unverändert',
  changedLines: 'Geänderte Zeilen',
  addedLine: 'hinzugefügt: ',
  removedLine: 'entfernt: ',
  unseen: 'Unsichtbares Zeichen',
  messages: 'Meldungen von Kennel',
  explanation: 'Erklärung',
  dismiss: 'Ausblenden',
  opening: 'Wird geöffnet…',
  missing: 'Dieser Teil von Kennel konnte nicht geladen werden.',
  missingHint:
    'Vielleicht wurde Kennel aktualisiert, seit diese Seite offen ist. Lade sie neu, um weiterzumachen.',
  loadAgain: 'Neu laden',
  since: 'seit {time}',
};
