import type { HostSentences } from '../../host-sentences.ts';

/** The installation: vault, disk, stores, start, settings. */
export const installationSentences: HostSentences = {
  'Waiting for the keychain ({name}); look for its window.':
    'Wartet auf den Schlüsselbund ({name}); such sein Fenster.',
  'Demo only: the key lies in a file. Set a passphrase or a keychain before you add real accounts.':
    'Nur für die Demo: Der Schlüssel liegt in einer Datei. Wähle eine Passphrase oder einen Schlüsselbund, bevor du echte Konten anlegst.',
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
  'Ten tries to pair failed, so pairing was closed.':
    'Zehn Versuche zu koppeln sind gescheitert, also wurde die Kopplung geschlossen.',
  'A device of {slug} may manage its agents here now.':
    'Ein Gerät von {slug} darf jetzt seine Agenten hier verwalten.',
  'Nobody was asked: daemon.yml names no address of releases (updates.url, https).':
    'Niemand wurde gefragt: daemon.yml nennt keine Adresse für Versionen (updates.url, https).',
};
