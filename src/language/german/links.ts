import type { Words } from '../words.ts';

export const links: Words<'links'> = {
  cannotOpen: 'Diese Adresse lässt sich von hier nicht öffnen: {address}',
  writeMail: 'Eine E-Mail schreiben?',
  leave: 'Kennel verlassen?',
  leadsTo: 'Dieser Link steht in einer Nachricht. Er führt zu <b>{where}</b>.',
  copyCode: 'Den Code kopieren',
  stay: 'Hier bleiben',
  open: 'Öffnen',
  picture: '[Bild]',
  pictureOf: '[Bild: {words}]',
};
