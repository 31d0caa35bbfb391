import type { HostSentences } from '../../host-sentences.ts';

/** The installation: vault, disk, stores, start, settings. */
export const houseSentences: HostSentences = {
  'Your keys are locked with a passphrase.': 'Deine Schlüssel sind mit einer Passphrase gesperrt.',
  'Type it in the app, or set KENNEL_PASSPHRASE.': 'Gib sie hier ein, oder setze KENNEL_PASSPHRASE.',
  'Your keys are kept by the keychain "{name}", and this session has none.':
    'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung hat keinen.',
  'Your keys are kept by the keychain "{name}", and this session offers "{other}" instead.':
    'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung bietet stattdessen „{other}“.',
  'Start Kennel in a session where that keychain is there and unlocked.':
    'Starte Kennel in einer Sitzung, in der dieser Schlüsselbund da und entsperrt ist.',
  'The keychain "{name}" does not have this folder\'s key. Nothing was changed.':
    'Der Schlüsselbund „{name}“ hat den Schlüssel dieses Ordners nicht. Nichts wurde geändert.',
  'Waiting for the keychain ({name}); look for its window.':
    'Wartet auf den Schlüsselbund ({name}); such sein Fenster.',
  'The key from "{name}" is not the one your secrets were stored with.':
    'Der Schlüssel aus „{name}“ ist nicht der, mit dem deine Geheimnisse gespeichert wurden.',
  'The key file of the demo is missing or damaged. Nothing was changed.':
    'Die Schlüsseldatei der Demo fehlt oder ist beschädigt. Nichts wurde geändert.',
  'Put {path} back.': 'Leg {path} wieder zurück.',
  'Nothing was changed.': 'Nichts wurde geändert.',
  'Demo only: the key lies in a file. Set a passphrase or a keychain before you add real accounts.':
    'Nur für die Demo: Der Schlüssel liegt in einer Datei. Wähle eine Passphrase oder einen Schlüsselbund, bevor du echte Konten anlegst.',
  'The disk is full; the old content was kept.': 'Die Platte ist voll; der alte Inhalt blieb erhalten.',
  'The disk is full.': 'Die Platte ist voll.',
  'The disk is full. Nothing was kept.': 'Die Platte ist voll. Nichts wurde aufgehoben.',
  'Free some space.': 'Schaff etwas Platz.',
  'Your disk quota is used up; the old content was kept.':
    'Dein Plattenkontingent ist aufgebraucht; der alte Inhalt blieb erhalten.',
  'The disk is read-only; nothing was changed.': 'Die Platte ist schreibgeschützt; nichts wurde geändert.',
  'Make it writable, or choose another folder.': 'Mach sie beschreibbar, oder wähle einen anderen Ordner.',
  'You may not use this file; nothing was changed.':
    'Du darfst diese Datei nicht nutzen; nichts wurde geändert.',
  'You may not change this file; nothing was changed.':
    'Du darfst diese Datei nicht ändern; nichts wurde geändert.',
  'Check its owner and permissions.': 'Prüfe Eigentümer und Rechte.',
  'The disk failed; the old content was kept as far as it can be read.':
    'Die Platte ist gestört; der alte Inhalt blieb erhalten, soweit er lesbar ist.',
  'Check the disk.': 'Prüfe die Platte.',
  'Too many files are open; nothing was changed.': 'Zu viele Dateien sind offen; nichts wurde geändert.',
  'Your agents were not started, as you asked. Everything else is here.':
    'Deine Agenten wurden nicht gestartet, wie du es wolltest. Alles andere ist da.',
  'Quit Kennel and start it again to have them back.':
    'Beende Kennel und starte es neu, dann sind sie wieder da.',
  '{n} files of the data folder are open to others and could not be closed.':
    '{n} Dateien im Datenordner sind für andere offen und ließen sich nicht schließen.',
  'Check their owner, e.g. {path}.': 'Prüfe ihren Eigentümer, z. B. {path}.',
  'The audit log is not whole: {what}. A new line in it says so; what else it holds is kept.':
    'Das Prüfprotokoll ist nicht vollständig: {what}. Eine neue Zeile darin hält das fest; alles andere ist erhalten.',
  'If you did not remove them yourself, find out who did. A backup of your data folder may have them.':
    'Wenn du sie nicht selbst entfernt hast, finde heraus, wer es war. Eine Sicherung deines Datenordners hat sie vielleicht noch.',
  'If you did not change it yourself, find out who did: "kennel audit verify" tells what it holds.':
    'Wenn du es nicht selbst geändert hast, finde heraus, wer es war: Einstellungen, Sicherheit zeigt, was es enthält.',
  'Until then agents may do nothing.': 'Bis dahin dürfen Agenten nichts tun.',
  'The audit log could not be written. What it holds is kept.':
    'Das Prüfprotokoll ließ sich nicht schreiben. Was darin steht, ist erhalten.',
  'The audit log could not be written: the disk is full. What it holds is kept.':
    'Das Prüfprotokoll ließ sich nicht schreiben: Die Platte ist voll. Was darin steht, ist erhalten.',
  'The store of {~what} was damaged ({reason}). It was put aside as {path} and a new one was begun with what could still be read.':
    'Der Speicher für {what} war beschädigt ({reason}). Er liegt jetzt unter {path}; ein neuer begann mit dem, was noch lesbar war.',
  'questions and answers': 'Fragen und Antworten',
  'what the agents used': 'den Verbrauch der Agenten',
  'Kennel could not start everything; the log says why.':
    'Kennel konnte nicht alles starten; das Protokoll sagt, warum.',
  'Correct the file; until then the last good settings stay in force.':
    'Berichtige die Datei; bis dahin gelten die letzten guten Einstellungen.',
  'The file was left as it was.': 'Die Datei blieb, wie sie war.',
  'Ten tries to pair failed, so pairing was closed.':
    'Zehn Versuche zu koppeln sind gescheitert, also wurde die Kopplung geschlossen.',
  'If that was not you: "kennel pairing unpair".':
    'Wenn du das nicht warst: Entferne das Gerät unter Einstellungen, Geräte.',
  'A device of {slug} may manage its agents here now.':
    'Ein Gerät von {slug} darf jetzt seine Agenten hier verwalten.',
  'It is switched off in daemon.yml.': 'Das ist in daemon.yml ausgeschaltet.',
  'Nobody was asked: daemon.yml names no address of releases (updates.url, https).':
    'Niemand wurde gefragt: daemon.yml nennt keine Adresse für Versionen (updates.url, https).',
};
