import type { HostSentences } from '../../host-sentences.ts';

/** Attachments, archives, bundles and backups. */
export const movingSentences: HostSentences = {
  'That is not the passphrase of this bundle, or the bundle was changed. Nothing was imported.':
    'Das ist nicht die Passphrase dieses Bündels, oder das Bündel wurde verändert. Nichts wurde importiert.',
  'This bundle is encrypted.': 'Dieses Bündel ist verschlüsselt.',
  'Write its passphrase.': 'Gib die Passphrase dazu ein.',
  'Give its passphrase: --passphrase - reads it from standard input.': 'Gib die Passphrase dazu ein.',
  'The passphrase has fewer than {n} characters. Nothing was written.':
    'Die Passphrase hat weniger als {n} Zeichen. Nichts wurde geschrieben.',
  'Whoever has the file can try passphrases at leisure: take four or five words.':
    'Wer die Datei hat, kann in Ruhe Passphrasen probieren: Nimm vier oder fünf Wörter.',
  'There is no agent in it: an agent has an agent.yml. Nothing was imported.':
    'Darin ist kein Agent: Zu einem Agenten gehört eine agent.yml. Nichts wurde importiert.',
  'This is not a zip archive, or it is damaged. Nothing was unpacked.':
    'Das ist kein Zip-Archiv, oder es ist beschädigt. Nichts wurde ausgepackt.',
  'The archive is cut off or damaged. Nothing was unpacked.':
    'Das Archiv ist abgeschnitten oder beschädigt. Nichts wurde ausgepackt.',
  'A file in the archive is damaged. Nothing was unpacked.':
    'Eine Datei im Archiv ist beschädigt. Nichts wurde ausgepackt.',
  'The archive holds a name that leads elsewhere. Nothing was unpacked.':
    'Ein Name im Archiv führt woandershin. Nichts wurde ausgepackt.',
  'The archive holds a link. Nothing was unpacked.':
    'Das Archiv enthält eine Verknüpfung. Nichts wurde ausgepackt.',
  'The archive holds more than Kennel unpacks. Nothing was unpacked.':
    'Das Archiv enthält mehr, als Kennel auspackt. Nichts wurde ausgepackt.',
  'Files in the archive have a password of their own.': 'Dateien im Archiv haben ein eigenes Passwort.',
  'The archive is a bomb: it grows beyond measure. Nothing was unpacked.':
    'Das Archiv ist eine Bombe: Es wächst ins Unermessliche. Nichts wurde ausgepackt.',
  'This is not a backup that "kennel backup" made.': 'Das ist keine Sicherung von Kennel.',
  'This backup was made by a newer Kennel. Nothing was changed: update Kennel.':
    'Diese Sicherung stammt von einem neueren Kennel. Nichts wurde geändert: Aktualisiere Kennel.',
  'The backup is damaged: a file is not what it was. Nothing was changed.':
    'Die Sicherung ist beschädigt: Eine Datei ist nicht mehr, was sie war. Nichts wurde geändert.',
  'There is something of that name already. Nothing was written.':
    'Unter diesem Namen gibt es schon etwas. Nichts wurde geschrieben.',
  'A file may have at most 8 MiB.': 'Eine Datei darf höchstens 8 MiB haben.',
  'becomes you': 'wirst du',
  'stays there: this folder has its operator already': 'bleibt dort: Dieser Ordner gehört schon jemandem',
  'stays there: no agent here goes by this name': 'bleibt dort: Kein Agent hier heißt so',
  'stays there: agent {id} has its keys': 'bleibt dort: Agent {id} hat seine Schlüssel',
  'goes to agent {id}': 'geht an Agent {id}',
  '{slug}: {=use}.': '{slug}: {use}.',
  '{slug} was not taken over: {~why}': '{slug} wurde nicht übernommen: {why}',
  'It comes without keys.': 'Er kommt ohne Schlüssel.',
  'Its keys are of another identity.': 'Seine Schlüssel gehören zu einer anderen Identität.',
  'Its keys came along: stop it wherever else it runs, or both would answer in one name.':
    'Seine Schlüssel sind mitgekommen: Halte ihn überall sonst an, sonst antworten beide in einem Namen.',
  'It has a new identity, which yours vouches for.': 'Er hat eine neue Identität, für die deine bürgt.',
};
