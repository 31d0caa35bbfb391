import type { HostPart } from '../../host-part.ts';

export const contacts: HostPart<'contacts'> = {
  invalidHandle: '„{name}“ ist kein gültiger Handle.',
  unknownContact: 'Niemand namens {name} hat deinen Agenten geschrieben. Nichts wurde geändert.',
  chooseServer: 'Wähle einen mit --server.',
  giveServer: 'Nenne den Server mit --server.',
  ambiguousContact: 'Auf mehreren Servern gibt es jemanden namens {name}. Nichts wurde geändert.',
};
