import type { HostSentences } from '../../host-sentences.ts';

/** Agents, rooms, spaces, invitations, sign-up and devices. */
export const peopleSentences: HostSentences = {
  'Its files are made. It gets its identity by itself as soon as Kennel runs and its server answers.':
    'Seine Dateien sind da. Seine Identität bekommt er von selbst, sobald sein Server antwortet.',
  'Saved here; the server does not know yet. Kennel tells it by itself as soon as the agent is connected.':
    'Hier gespeichert; der Server weiß es noch nicht. Kennel sagt es ihm von selbst, sobald der Agent verbunden ist.',
  'Saved here; the server does not know yet. Kennel tells it by itself as soon as you are connected.':
    'Hier gespeichert; der Server weiß es noch nicht. Kennel sagt es ihm von selbst, sobald du verbunden bist.',
  '{name}: {=message}': '{name}: {message}',
  'Saved here, but the server does not know yet: {~why}':
    'Hier gespeichert, aber der Server weiß es noch nicht: {why}',
  'Saved here, but the server refuses it: {~why}': 'Hier gespeichert, aber der Server lehnt es ab: {why}',
  'Change it, save it again.': 'Ändere es und speichere noch einmal.',
  'The profile was changed at the server after your edit. Yours counts here: {mine}. The server shows: {theirs}.':
    'Das Profil wurde auf dem Server nach deiner Änderung geändert. Hier gilt deins: {mine}. Der Server zeigt: {theirs}.',
  'Make your edit again to have the server show it, too.':
    'Ändere es noch einmal, damit auch der Server es zeigt.',
  'Your sign-up as {name} at {server} was interrupted. {~note}':
    'Deine Anmeldung als {name} bei {server} wurde unterbrochen. {note}',
  'The server knows you already; Kennel goes on when it can be reached.':
    'Der Server kennt dich schon; Kennel macht weiter, wenn er erreichbar ist.',
  'The server had not answered. Your keys and the invite code are kept.':
    'Der Server hatte nicht geantwortet. Deine Schlüssel und der Einladungscode sind aufgehoben.',
  '{name} is in {where}.': '{name} ist in {where}.',
  '{name} is in {where}. It is not connected now, and reads there once it runs.':
    '{name} ist in {where}, gerade nicht verbunden, und liest dort, sobald er läuft.',
  '{name} is invited to {where}, and joins by itself as soon as it is connected.':
    '{name} ist nach {where} eingeladen und tritt von selbst bei, sobald er verbunden ist.',
  '{name} is invited to {where}, and has to accept it first.':
    '{name} ist nach {where} eingeladen und muss erst annehmen.',
};
