import type { HostPart } from '../../host-part.ts';

export const secrets: HostPart<'secrets'> = {
  deviceKeyMismatch: 'Der Geräteschlüssel gehört nicht zur Gerätekennung.',
  rootKeyMismatch: 'Der Stammschlüssel gehört nicht zu den Zertifikaten.',
  lockWrong: 'Das ist nicht die Passphrase. Nichts wurde geöffnet.',
  lockTooFast: 'Zu viele falsche Versuche. Versuche es in 30 Sekunden wieder.',
  lockBusy: 'Ein anderer Versuch wird noch geprüft. Versuche es gleich noch einmal.',
  lockTooLong: 'Eine Passphrase hat höchstens {length} Zeichen.',
  lockUnset: 'Für die Sperre ist noch keine Passphrase festgelegt.',
  lockUsesVault: 'Die Sperre nutzt die Passphrase deines Tresors. Ändere diese.',
  browserSignedOut: 'Dieser Browser ist schon abgemeldet.',
  noPassphraseToChange: 'Dieser Tresor hat keine Passphrase, die sich ändern ließe.',
  apiKeyUnprotected:
    'In dieser Datei steht ein API-Schlüssel, und es gibt keinen sicheren Ort dafür. Die Datei wurde nicht angerührt.',
  askAboutNewIdentity: 'Frag auf anderem Weg nach, ob dort eine neue Identität angelegt wurde.',
  choosePassphraseForKey:
    'Wähle mit „kennel unlock“ (oder KENNEL_PASSPHRASE) eine Passphrase. Kennel verschiebt den Schlüssel dann von selbst.',
  choosePassphraseAndRetry:
    'Wähle mit „kennel unlock“ (oder KENNEL_PASSPHRASE) eine Passphrase und versuch es noch einmal.',
  vaultFileUnreadable: 'Die Datei, die deinen Tresor beschreibt, ist nicht lesbar. Sie blieb, wie sie war.',
  identityKeyChanged:
    'Der Identitätsschlüssel von {slug} hat sich geändert. Nachrichten von dort werden zurückgehalten, und nichts wird dorthin gesendet.',
  keyFileMismatch: 'Die Schlüsseldatei gehört zu einer anderen Identität.',
  keyFileUnreadable: 'Die Schlüsseldatei ist nicht lesbar.',
  demoKeyMissing: 'Die Schlüsseldatei der Demo fehlt oder ist beschädigt. Nichts wurde geändert.',
  keyFileNotJson: 'Die Schlüsseldatei ist kein JSON.',
  invalidFileKey: 'Ein Schlüssel in der Schlüsseldatei hat nicht 32 Bytes.',
  wrongVaultKey: 'Der Schlüssel aus „{name}“ ist nicht der, mit dem deine Geheimnisse gespeichert wurden.',
  keyNotStored: 'Der Schlüssel wurde nicht gespeichert: Es gibt noch keinen sicheren Ort dafür.',
  storeKeyMissing: 'Der Schlüssel dieses Speichers fehlt; der Speicher wurde nicht angerührt.',
  keychainUnavailable: 'Der Schlüsselbund dieses Computers hat nicht geantwortet ({reason}).',
  keychainTimeout: 'Der Schlüsselbund ({name}) hat nicht rechtzeitig geantwortet. Nichts wurde geändert.',
  keychainKeyMissing:
    'Der Schlüsselbund „{name}“ hat den Schlüssel dieses Ordners nicht. Nichts wurde geändert.',
  keychainMissing: 'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung hat keinen.',
  keychainMismatch:
    'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung bietet stattdessen „{other}“.',
  passphraseRequired: 'Deine Schlüssel sind mit einer Passphrase gesperrt.',
  wrappedByAnotherVault:
    'Die Schlüssel sind vom Tresor eines anderen Kennels verpackt und öffnen sich nur dort.',
  leftUnchanged: '{what} Sie wurde nicht angerührt.',
  unlockKeychainWindow: 'Such sein Fenster, entsperre ihn und versuch es noch einmal.',
  deviceKeyMissing: 'Der Geräteschlüssel fehlt.',
  encryptionKeyMissing: 'Der Schlüssel zum Verschlüsseln fehlt.',
  cryptoSelfTestFailed:
    'Keine Verschlüsselung auf diesem Computer hat ihren Selbsttest bestanden: {reasons}.',
  keyFileMissing: 'Für {slug} gibt es keine Schlüsseldatei.',
  protectionMissing: 'Kennel hat weder Schlüsselbund noch Passphrase, also wurde nichts gespeichert.',
  rootKeyMissing: 'Der Stammschlüssel fehlt.',
  vaultMissing: 'Kennel hat noch keinen Tresor, der umziehen könnte.',
  wrongPassphrase: 'Das ist nicht die Passphrase. Nichts wurde geändert.',
  invalidHandle: '„{slug}“ ist kein Puffo-Name.',
  nothingChanged: 'Nichts wurde geändert.',
  restoreDemoKey: 'Leg {path} wieder zurück.',
  restoreVaultFile:
    'Hole sie aus einer Sicherung zurück; ohne sie lassen sich die gespeicherten Schlüssel nicht öffnen.',
  restoreFile: 'Hol die Datei aus einer Sicherung zurück.',
  restoreStoreKey:
    'Hol die .key-Datei aus einer Sicherung zurück oder verschiebe den Speicher, um einen neuen anzufangen.',
  demoProtectionOnly:
    'Echte Identitäten und Schlüssel werden nicht gespeichert, solange nur die Demo geschützt ist.',
  startWithKeychain: 'Starte Kennel in einer Sitzung, in der dieser Schlüsselbund entsperrt ist.',
  invalidStoredKey: 'Ein gespeicherter Schlüssel hat nicht 32 Bytes.',
  storedKeysLocked: 'Die gespeicherten Schlüssel sind gesperrt.',
  storedSecretDamaged:
    'Ein gespeichertes Geheimnis lässt sich nicht öffnen: Es ist beschädigt oder gehört woandershin.',
  storedSecretNotText: 'Ein gespeichertes Geheimnis ist kein Text.',
  typePassphrase: 'Gib sie hier ein, oder setze KENNEL_PASSPHRASE.',
  unlockAndSetKey:
    'Entsperre einen Schlüsselbund oder wähle eine Passphrase, und gib den Schlüssel dann noch einmal ein.',
  unlockOrChoosePassphrase: 'Entsperre einen Schlüsselbund oder wähle eine Passphrase (KENNEL_PASSPHRASE).',
  unlockOrTypePassphrase: 'Entsperre den Schlüsselbund oder gib die Passphrase ein.',
  unlockAndRetry: 'Entsperre ihn und versuch es noch einmal, oder wähle eine Passphrase.',
  waitingForKeychain: 'Wartet auf den Schlüsselbund ({name}); such sein Fenster.',
  demoKey:
    'Nur für die Demo: Der Schlüssel liegt in einer Datei. Wähle eine Passphrase oder einen Schlüsselbund, bevor du echte Konten anlegst.',
};
