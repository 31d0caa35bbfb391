import type { HostPart } from '../../host-part.ts';

export const contacts: HostPart<'contacts'> = {
  noHandle: '„{name}“ ist kein Handle.',
  noPersonCalledWritten: 'Niemand namens {name} hat deinen Agenten geschrieben. Nichts wurde geändert.',
  sayServer: 'Nenne den Server mit --server.',
  sayServerServer: 'Nenne den Server mit --server.',
  serverPersonCalled: 'Auf mehreren Servern gibt es jemanden namens {name}. Nichts wurde geändert.',
};
