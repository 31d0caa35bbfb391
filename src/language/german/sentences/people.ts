import type { HostSentences } from '../../host-sentences.ts';

/** Agents, rooms, spaces, invitations, sign-up and devices. */
export const peopleSentences: HostSentences = {
  'There is no agent "{id}".': 'Es gibt keinen Agenten „{id}“.',
  "There is no agent '{id}'.": 'Es gibt keinen Agenten „{id}“.',
  "There is no agent '{id}'; did you mean '{close}'?": 'Es gibt keinen Agenten „{id}“; meinst du „{close}“?',
  'Run "kennel agent list" for all of them.': 'Alle stehen in der Liste der Agenten.',
  'There is already an agent "{id}".': 'Es gibt schon einen Agenten „{id}“.',
  "There is already an agent '{id}'.": 'Es gibt schon einen Agenten „{id}“.',
  "There is already an agent '{id}' here.": 'Hier gibt es schon einen Agenten „{id}“.',
  '"{id}" cannot be an agent\'s id.': '„{id}“ kann keine Kennung eines Agenten sein.',
  'Use at most 64 letters, digits, "-" and "_", beginning with a letter or digit.':
    'Erlaubt sind höchstens 64 Buchstaben, Ziffern, „-“ und „_“; vorn steht ein Buchstabe oder eine Ziffer.',
  'Its files are made. It gets its identity by itself as soon as Kennel runs and its server answers.':
    'Seine Dateien sind da. Seine Identität bekommt er von selbst, sobald sein Server antwortet.',
  'It is doing nothing that could be stopped.': 'Er tut gerade nichts, das man anhalten könnte.',
  'Nothing stands still there.': 'Dort steht nichts still.',
  'The name is empty.': 'Der Name ist leer.',
  'The name is longer than {n} characters.': 'Der Name hat mehr als {n} Zeichen.',
  'The role is longer than {n} characters.': 'Die Rolle hat mehr als {n} Zeichen.',
  'The short role is longer than {n} characters.': 'Die kurze Rolle hat mehr als {n} Zeichen.',
  'A short role needs a role.': 'Zu einer kurzen Rolle gehört eine Rolle.',
  'The picture is larger than 4 MiB.': 'Das Bild ist größer als 4 MiB.',
  'That is not a picture that Kennel can show.': 'Dieses Bild kann Kennel nicht zeigen.',
  'The base URL must start with https:// or http://.': 'Die Adresse muss mit https:// oder http:// beginnen.',
  'The agent is not connected.': 'Der Agent ist nicht verbunden.',
  'The agent could not be started because of a fault in Kennel.':
    'Der Agent ließ sich wegen eines Fehlers in Kennel nicht starten.',
  'The agent was not ready after {n} seconds.': 'Der Agent war nach {n} Sekunden nicht bereit.',
  'The start was called off.': 'Der Start wurde abgesagt.',
  'The agent is registered but could not be invited: {~why}':
    'Der Agent ist angemeldet, ließ sich aber nicht einladen: {why}',
  'Kennel tries again by itself; or invite it from the space.':
    'Kennel versucht es von selbst noch einmal; oder lade ihn vom Space aus ein.',
  'Saved here; the server does not know yet. Kennel tells it by itself as soon as the agent is connected.':
    'Hier gespeichert; der Server weiß es noch nicht. Kennel sagt es ihm von selbst, sobald der Agent verbunden ist.',
  'Saved here; the server does not know yet. Kennel tells it by itself as soon as you are connected.':
    'Hier gespeichert; der Server weiß es noch nicht. Kennel sagt es ihm von selbst, sobald du verbunden bist.',
  'That profile is gone.': 'Dieses Profil gibt es nicht mehr.',
  '{name}: {=message}': '{name}: {message}',
  'Saved here, but the server does not know yet: {~why}':
    'Hier gespeichert, aber der Server weiß es noch nicht: {why}',
  'Saved here, but the server refuses it: {~why}': 'Hier gespeichert, aber der Server lehnt es ab: {why}',
  'Change it, save it again.': 'Ändere es und speichere noch einmal.',
  'The profile was changed at the server after your edit. Yours counts here: {mine}. The server shows: {theirs}.':
    'Das Profil wurde auf dem Server nach deiner Änderung geändert. Hier gilt deins: {mine}. Der Server zeigt: {theirs}.',
  'Make your edit again to have the server show it, too.':
    'Ändere es noch einmal, damit auch der Server es zeigt.',
  'There is no operator yet, so there is nobody to chat as.':
    'Du bist noch nicht angemeldet, also kann niemand chatten.',
  'There is no operator yet, so there is nobody to do that as.':
    'Du bist noch nicht angemeldet, also kann das niemand tun.',
  'There is no operator yet.': 'Du bist noch nicht angemeldet.',
  'You are not signed up here.': 'Du bist hier nicht angemeldet.',
  'You are signed up already, as {slug}.': 'Du bist schon angemeldet, als {slug}.',
  'Your sign-up as {name} at {server} is half done.':
    'Deine Anmeldung als {name} bei {server} ist halb fertig.',
  'Your sign-up as {name} at {server} was interrupted. {~note}':
    'Deine Anmeldung als {name} bei {server} wurde unterbrochen. {note}',
  'There is no sign-up to go on with.': 'Es gibt keine Anmeldung, die weitergehen könnte.',
  'The server knows you already; Kennel goes on when it can be reached.':
    'Der Server kennt dich schon; Kennel macht weiter, wenn er erreichbar ist.',
  'The server had not answered. Your keys and the invite code are kept.':
    'Der Server hatte nicht geantwortet. Deine Schlüssel und der Einladungscode sind aufgehoben.',
  'That is the device you are at.': 'Das ist das Gerät, an dem du gerade bist.',
  'Revoke it from another of your devices.': 'Schließe es von einem anderen deiner Geräte aus.',
  'These are not the words of the device that asks now. Look again.':
    'Das sind nicht die Worte des Geräts, das jetzt fragt. Sieh noch einmal hin.',
  'That is not the code of a device: it has twelve letters and digits.':
    'Das ist kein Code eines Geräts: Er hat zwölf Buchstaben und Ziffern.',
  'This device has not asked to join an account.': 'Dieses Gerät wollte keinem Konto beitreten.',
  'The key of {slug} has not changed: there is nothing to accept.':
    'Der Schlüssel von {slug} hat sich nicht geändert: Es gibt nichts anzunehmen.',
  'That is not the fingerprint that is offered for {slug}. Nothing was changed.':
    'Das ist nicht der Fingerabdruck, der für {slug} angeboten wird. Nichts wurde geändert.',
  'The key of {slug} has just changed again. Look once more.':
    'Der Schlüssel von {slug} hat sich gerade wieder geändert. Sieh noch einmal hin.',
  'Only members may invite, and into a channel only those who are in it.':
    'Einladen dürfen nur Mitglieder, und in einen Kanal nur die, die darin sind.',
  'This invitation is not open any more.': 'Diese Einladung ist nicht mehr offen.',
  'Say where to: a space or a channel.': 'Sag wohin: in einen Space oder einen Kanal.',
  '{name} is in {where}.': '{name} ist in {where}.',
  '{name} is in {where}. It is not connected now, and reads there once it runs.':
    '{name} ist in {where}, gerade nicht verbunden, und liest dort, sobald er läuft.',
  '{name} is invited to {where}, and joins by itself as soon as it is connected.':
    '{name} ist nach {where} eingeladen und tritt von selbst bei, sobald er verbunden ist.',
  '{name} is invited to {where}, and has to accept it first.':
    '{name} ist nach {where} eingeladen und muss erst annehmen.',
  'Only who sent an invitation may take it back.':
    'Zurücknehmen darf eine Einladung nur, wer sie geschickt hat.',
  'This space is archived, so nothing is changed there.':
    'Dieser Space ist archiviert, also wird dort nichts geändert.',
  'Its owner brings it back with "kennel space unarchive".': 'Sein Eigentümer kann ihn zurückholen.',
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
  'An agent cannot own a space. Nothing was changed.':
    'Ein Agent kann keinen Space besitzen. Nichts wurde geändert.',
  'Hand it over to a person; an agent can be made an admin.':
    'Übergib ihn einem Menschen; ein Agent kann Admin werden.',
  'There is a channel #{name} in {space} already.': 'In {space} gibt es schon einen Kanal #{name}.',
  'Choose another name.': 'Wähle einen anderen Namen.',
  'There is no note "{name}".': 'Es gibt keine Notiz „{name}“.',
  'This cannot be the name of a note.': 'So kann eine Notiz nicht heißen.',
};
