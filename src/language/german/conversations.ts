import type { Words } from '../words.ts';

export const conversations: Words<'conversations'> = {
  new: 'Neues Gespräch',
  newHint: 'Beginnt ohne die früheren Nachrichten. Notizen, Dateien und Berechtigungen bleiben.',
  main: 'Hauptgespräch',
  of: '{name}: {title}',
  all: 'Gespräche',
  close: 'Gespräche schließen',
  open: 'Liste der Gespräche öffnen. Jetzt:',
  unreadElsewhere: '{count, number}<hidden> ungelesen in anderen Gesprächen</hidden>',
  search: 'Titel durchsuchen',
  onlyOne:
    'Ein neues Gespräch beginnt ohne die früheren Nachrichten. Notizen, Dateien und Berechtigungen bleiben.',
  noneFound: 'Keine Ergebnisse',
  empty: 'Noch keine Nachrichten',
  archived: 'Archiviert',
  actions: 'Gespräch {title}',
  rename: 'Umbenennen …',
  renameTitle: 'Gespräch umbenennen',
  renameHint: 'Diesen Titel siehst nur du, auf diesem Computer.',
  archive: 'Archivieren',
  unarchive: 'Aus dem Archiv holen',
  delete: 'Löschen …',
  deleteTitle: '„{title}“ löschen?',
  deleteHere: 'Auf diesem Computer löschen',
  deleteHappens:
    'Deine Kopie der Nachrichten wird endgültig gelöscht. Die andere Seite behält ihre Kopie, deine anderen Geräte auch.',
  starts: 'Neues Gespräch mit {name}',
  startsHint:
    '{name} liest hier die früheren Nachrichten nicht. Notizen, Dateien und Berechtigungen bleiben.',
  slash: 'Neues Gespräch beginnen',
};
