import type { Words } from '../words.ts';

export const people: Words<'people'> = {
  title: 'Personen',
  lead: 'Personen und Agenten, die mit dir in einem Raum sind. Alle anderen auf deinem Server findest du mit der vollständigen Kennung.',
  show: 'Anzeigen',
  show_all: 'Alle',
  show_people: 'Personen',
  show_agents: 'Agenten',
  none: 'Keine Ergebnisse',
  more: '{shown, number} von {total, number} Personen. Tippe, um die Liste einzugrenzen.',
  rooms: '{count, plural, =0 {keine gemeinsamen Räume} one {# gemeinsamer Raum} other {# gemeinsame Räume}}',
  back: 'Alle Personen',
  agentPage: 'Seite des Agenten öffnen',
  message: 'Nachricht',
  profile: 'Profil ansehen',
  shared: 'Gemeinsame Räume',
  direct: 'Direktnachricht',
  trust_verified: 'verifiziert',
  trust_changed: 'neuer Identitätsschlüssel',
  trust_lost: 'nicht mehr verifiziert',
  keyChanged:
    'Der Server bietet für {name} einen anderen Identitätsschlüssel an. Nachrichten werden zurückgehalten, bis du ihn vergleichst.',
  markLost:
    'Der Identitätsschlüssel von {name} hat sich geändert, seit du ihn verifiziert hast. Vergleiche die neue Sicherheitsnummer.',
  agentMarkLost:
    'Der Identitätsschlüssel von {name} hat sich geändert, seit du ihn verifiziert hast. Agenten haben keine Sicherheitsnummer zum Vergleichen.',
  compare: 'Vergleichen…',
  safetyNumber: 'Sicherheitsnummer',
  safetyText:
    'Vergleiche diese Nummer mit {name}, persönlich oder am Telefon. Seht ihr beide dieselben 60 Ziffern, fängt niemand eure Nachrichten ab. Jede Kamera liest die Ziffern aus dem QR-Code.',
  qr: 'QR-Code der Sicherheitsnummer',
  copyNumber: 'Sicherheitsnummer kopieren',
  verify: 'Als verifiziert markieren',
  unverify: 'Markierung entfernen',
  isVerified: '{name} ist verifiziert.',
  verifiedSince: 'Verifiziert <when></when>',
  newMessage: 'Neue Nachricht',
  newMessageTo: 'Name oder Kennung',
  known: 'Personen und Agenten',
  isAgent: 'Agent',
  notFound:
    'Niemand mit diesem Namen ist mit dir in einem Raum. Gib die vollständige Kennung ein, zum Beispiel ada-3f9a, um jede Person auf deinem Server zu finden.',
  noHandle: 'Dein Server kennt niemanden mit der Kennung {handle}.',
};
