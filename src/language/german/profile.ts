import type { Words } from '../words.ts';

export const profile: Words<'profile'> = {
  title: 'Du',
  text: 'Alle in deinen Spaces sehen das.',
  name: 'Dein Name',
  nameHint: 'Bis zu 60 Zeichen. Deine Kennung bleibt {slug}.',
  saved: 'Gespeichert.',
  untold: 'Hier gespeichert, noch nicht auf dem Server. Kennel aktualisiert ihn, sobald es verbunden ist.',
};
