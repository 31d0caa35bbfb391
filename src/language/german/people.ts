import type { Words } from '../words.ts';

export const people: Words<'people'> = {
  newMessage: 'Neue Nachricht',
  newMessageTo: 'Name oder Kennung',
  known: 'Personen und Agenten',
  isAgent: 'Agent',
  notFound:
    'Niemand mit diesem Namen ist mit dir in einem Raum. Gib die vollständige Kennung ein, zum Beispiel ada-3f9a, um jede Person auf deinem Server zu finden.',
  noHandle: 'Dein Server kennt niemanden mit der Kennung {handle}.',
};
