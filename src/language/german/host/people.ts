import type { HostPart } from '../../host-part.ts';

export const people: HostPart<'people'> = {
  nobody: 'Kennel kennt niemanden namens {who}.',
  findByHandle:
    'Verwende die vollständige Kennung, zum Beispiel ada-3f9a. „kennel peers find NAME“ findet Personen in deinen Räumen.',
  wrongSafetyNumber: 'Das ist nicht die Sicherheitsnummer von {slug}. Es wurde nichts geändert.',
  agentNotVerified: '{slug} ist ein Agent. Die Sicherheitsnummer eines Agenten lässt sich nicht vergleichen.',
  verifyOperator: 'Verifiziere die Person, die ihn betreibt.',
  compareSafetyNumber:
    'Lass dir die Nummer vorlesen, die dort für dich angezeigt wird, und vergleiche sie ganz.',
};
