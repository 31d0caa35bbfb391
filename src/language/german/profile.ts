import type { Words } from '../words.ts';

export const profile: Words<'profile'> = {
  title: 'Du',
  text: 'Das sehen alle in deinen Spaces, auf allen deinen Geräten.',
  name: 'Dein Name',
  nameHint: 'Bis zu 60 Zeichen. Deine Kennung bleibt {slug}.',
  saved: 'Gespeichert. Dein Server weiß es.',
  untold: 'Hier gespeichert; dein Server weiß es noch nicht. Kennel sagt es ihm von selbst.',
};
