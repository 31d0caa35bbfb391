import type { HostSentences } from '../../host-sentences.ts';

/** The installation: vault, disk, stores, start, settings. */
export const houseSentences: HostSentences = {
  'Your secrets are locked.': 'Deine Geheimnisse sind gesperrt.',
  'Your secrets are locked, so nothing can be asked or answered.':
    'Deine Geheimnisse sind gesperrt, also kann nichts gefragt oder beantwortet werden.',
  'What was spent is locked with your secrets.': 'Die Ausgaben sind mit deinen Geheimnissen gesperrt.',
  'The stored keys are locked.': 'Die gespeicherten Schlüssel sind gesperrt.',
  'Run "kennel unlock".': 'Entsperre sie auf der Startseite.',
  'Your keys are locked with a passphrase.': 'Deine Schlüssel sind mit einer Passphrase gesperrt.',
  'Type it in the app, or set KENNEL_PASSPHRASE.': 'Gib sie hier ein, oder setze KENNEL_PASSPHRASE.',
  'That is not the passphrase. Nothing was changed.': 'Das ist nicht die Passphrase. Nichts wurde geändert.',
  'Your keys are kept by the keychain "{name}", and this session has none.':
    'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung hat keinen.',
  'Your keys are kept by the keychain "{name}", and this session offers "{other}" instead.':
    'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung bietet stattdessen „{other}“.',
  'Start Kennel in a session where that keychain is there and unlocked.':
    'Starte Kennel in einer Sitzung, in der dieser Schlüsselbund da und entsperrt ist.',
  'The keychain "{name}" does not have this folder\'s key. Nothing was changed.':
    'Der Schlüsselbund „{name}“ hat den Schlüssel dieses Ordners nicht. Nichts wurde geändert.',
  'The keychain ({name}) did not answer in time. Nothing was changed.':
    'Der Schlüsselbund ({name}) hat nicht rechtzeitig geantwortet. Nichts wurde geändert.',
  'Look for its window and unlock it, then try again.':
    'Such sein Fenster, entsperre ihn und versuch es noch einmal.',
  'Waiting for the keychain ({name}); look for its window.':
    'Wartet auf den Schlüsselbund ({name}); such sein Fenster.',
  'The key from "{name}" is not the one your secrets were stored with.':
    'Der Schlüssel aus „{name}“ ist nicht der, mit dem deine Geheimnisse gespeichert wurden.',
  'The key file of the demo is missing or damaged. Nothing was changed.':
    'Die Schlüsseldatei der Demo fehlt oder ist beschädigt. Nichts wurde geändert.',
  'Put {path} back.': 'Leg {path} wieder zurück.',
  'Nothing was changed.': 'Nichts wurde geändert.',
  'There is no keychain and no passphrase, so nothing was stored.':
    'Es gibt weder Schlüsselbund noch Passphrase, also wurde nichts gespeichert.',
  'Unlock a keychain, or choose a passphrase (KENNEL_PASSPHRASE).':
    'Entsperre einen Schlüsselbund oder wähle eine Passphrase.',
  'Demo only: the key lies in a file. Set a passphrase or a keychain before you add real accounts.':
    'Nur für die Demo: Der Schlüssel liegt in einer Datei. Wähle eine Passphrase oder einen Schlüsselbund, bevor du echte Konten anlegst.',
  'Real identities and keys are not stored while only the demo is protected.':
    'Echte Identitäten und Schlüssel werden nicht gespeichert, solange nur die Demo geschützt ist.',
  'Choose a passphrase with "kennel unlock" (or KENNEL_PASSPHRASE), then try again.':
    'Wähle unter Einstellungen, Sicherheit eine Passphrase und versuch es noch einmal.',
  'The file that says how your secrets are kept cannot be read. It was left as it is.':
    'Die Datei, in der steht, wie deine Geheimnisse aufbewahrt sind, ist nicht lesbar. Sie blieb, wie sie war.',
  'Put it back from a backup; without it the stored keys cannot be opened.':
    'Hole sie aus einer Sicherung zurück; ohne sie lassen sich die gespeicherten Schlüssel nicht öffnen.',
  'The disk is full; the old content was kept.': 'Die Platte ist voll; der alte Inhalt blieb erhalten.',
  'The disk is full; nothing was changed.': 'Die Platte ist voll; nichts wurde geändert.',
  'The disk is full.': 'Die Platte ist voll.',
  'The disk is full. Nothing was kept.': 'Die Platte ist voll. Nichts wurde aufgehoben.',
  'Free some space.': 'Schaff etwas Platz.',
  'Free some space, then try again.': 'Schaff etwas Platz und versuch es noch einmal.',
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
  'The file could not be used; nothing was changed. ({code})':
    'Die Datei ließ sich nicht nutzen; nichts wurde geändert. ({code})',
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
  'Kennel is stopping.': 'Kennel wird beendet.',
  'Kennel is not running, and this needs it.': 'Kennel läuft nicht, und das wird hierfür gebraucht.',
  'Kennel hit a bug while doing "{method}". Nothing else was disturbed.':
    'Kennel ist bei „{method}“ auf einen eigenen Fehler gestoßen. Sonst ist nichts gestört.',
  'The log holds the details.': 'Das Protokoll kennt die Einzelheiten.',
  'The file agent.yml is missing.': 'Die Datei agent.yml fehlt.',
  'Put it back; until then the last good settings stay in force.':
    'Leg sie zurück; bis dahin gelten die letzten guten Einstellungen.',
  'Correct the file; until then the last good settings stay in force.':
    'Berichtige die Datei; bis dahin gelten die letzten guten Einstellungen.',
  'The file is empty.': 'Die Datei ist leer.',
  'The file was left as it was.': 'Die Datei blieb, wie sie war.',
  'Ten tries to pair failed, so pairing was closed.':
    'Zehn Versuche zu koppeln sind gescheitert, also wurde die Kopplung geschlossen.',
  'If that was not you: "kennel pairing unpair".':
    'Wenn du das nicht warst: Entferne das Gerät unter Einstellungen, Geräte.',
  'A device of {slug} may manage its agents here now.':
    'Ein Gerät von {slug} darf jetzt seine Agenten hier verwalten.',
  'None of your agents has a turn "{id}".': 'Keiner deiner Agenten hat einen Arbeitsgang „{id}“.',
  '"kennel work" lists turns with their ids.': '„kennel work“ zählt Arbeitsgänge mit ihren Nummern auf.',
  'It is switched off in daemon.yml.': 'Das ist in daemon.yml ausgeschaltet.',
  'The local bridge is switched off in daemon.yml.': 'Die lokale Brücke ist in daemon.yml ausgeschaltet.',
  'Set "enabled: true" under "bridge" there.': 'Setze dort „enabled: true“ unter „bridge“.',
  'This is a matter of the Kennel app, and this is not its window.':
    'Das ist Sache der Kennel-App, und dies ist nicht ihr Fenster.',
  'Nobody was asked: daemon.yml names no address of releases (updates.url, https).':
    'Niemand wurde gefragt: daemon.yml nennt keine Adresse für Versionen (updates.url, https).',
};
