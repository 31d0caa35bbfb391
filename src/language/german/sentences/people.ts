import type { HostSentences } from '../../host-sentences.ts';

/** Agents, rooms, spaces, invitations, sign-up and devices. */
export const peopleSentences: HostSentences = {
  "There is no agent '{id}'.": 'Es gibt keinen Agenten „{id}“.',
  "There is no agent '{id}'; did you mean '{close}'?": 'Es gibt keinen Agenten „{id}“; meinst du „{close}“?',
  'Run "kennel agent list" for all of them.': 'Alle stehen in der Liste der Agenten.',
  "There is already an agent '{id}' here.": 'Hier gibt es schon einen Agenten „{id}“.',
  'Its files are made. It gets its identity by itself as soon as Kennel runs and its server answers.':
    'Seine Dateien sind da. Seine Identität bekommt er von selbst, sobald sein Server antwortet.',
  'The name is empty.': 'Der Name ist leer.',
  'The name is longer than {n} characters.': 'Der Name hat mehr als {n} Zeichen.',
  'The role is longer than {n} characters.': 'Die Rolle hat mehr als {n} Zeichen.',
  'The short role is longer than {n} characters.': 'Die kurze Rolle hat mehr als {n} Zeichen.',
  'A short role needs a role.': 'Zu einer kurzen Rolle gehört eine Rolle.',
  'The picture is larger than 4 MiB.': 'Das Bild ist größer als 4 MiB.',
  'That is not a picture that Kennel can show.': 'Dieses Bild kann Kennel nicht zeigen.',
  'The base URL must start with https:// or http://.': 'Die Adresse muss mit https:// oder http:// beginnen.',
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
  'There is no operator yet.': 'Du bist noch nicht angemeldet.',
  'Your sign-up as {name} at {server} is half done.':
    'Deine Anmeldung als {name} bei {server} ist halb fertig.',
  'Your sign-up as {name} at {server} was interrupted. {~note}':
    'Deine Anmeldung als {name} bei {server} wurde unterbrochen. {note}',
  'The server knows you already; Kennel goes on when it can be reached.':
    'Der Server kennt dich schon; Kennel macht weiter, wenn er erreichbar ist.',
  'The server had not answered. Your keys and the invite code are kept.':
    'Der Server hatte nicht geantwortet. Deine Schlüssel und der Einladungscode sind aufgehoben.',
  'Only members may invite, and into a channel only those who are in it.':
    'Einladen dürfen nur Mitglieder, und in einen Kanal nur die, die darin sind.',
  '{name} is in {where}.': '{name} ist in {where}.',
  '{name} is in {where}. It is not connected now, and reads there once it runs.':
    '{name} ist in {where}, gerade nicht verbunden, und liest dort, sobald er läuft.',
  '{name} is invited to {where}, and joins by itself as soon as it is connected.':
    '{name} ist nach {where} eingeladen und tritt von selbst bei, sobald er verbunden ist.',
  '{name} is invited to {where}, and has to accept it first.':
    '{name} ist nach {where} eingeladen und muss erst annehmen.',
  'Only who sent an invitation may take it back.':
    'Zurücknehmen darf eine Einladung nur, wer sie geschickt hat.',
  'Make somebody else the owner with "kennel space hand-over".': 'Übergib ihn zuerst jemand anderem.',
  'Only the owner and admins of a space may rename it.':
    'Einen Space umbenennen dürfen nur Eigentümer und Admins.',
  'Only the owner may archive a space or bring it back.':
    'Einen Space archivieren oder zurückholen darf nur der Eigentümer.',
  'You are not in this space any more.': 'Du bist nicht mehr in diesem Space.',
  'You are not in this channel any more.': 'Du bist nicht mehr in diesem Kanal.',
  'Only the owner may change roles or hand the space over.':
    'Rollen ändern oder den Space übergeben darf nur der Eigentümer.',
  'Only the owner and admins may remove people, and only the owner may remove admins.':
    'Leute entfernen dürfen nur Eigentümer und Admins, und Admins nur der Eigentümer.',
  'Only members of the space may make channels in it.': 'Kanäle anlegen dürfen nur Mitglieder des Space.',
  'Only owner and admins of the space, and whoever made the channel, may change it.':
    'Ändern dürfen den Kanal nur Eigentümer und Admins des Space und wer ihn angelegt hat.',
};
