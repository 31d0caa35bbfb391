import type { HostPart } from '../../host-part.ts';

export const secrets: HostPart<'secrets'> = {
  lockWrong: 'Das ist nicht die Passphrase. Nichts wurde geöffnet.',
  lockTooFast: 'Zu viele falsche Versuche. Versuche es in 30 Sekunden wieder.',
  lockBusy: 'Ein anderer Versuch wird noch geprüft. Versuche es gleich noch einmal.',
  lockTooLong: 'Eine Passphrase hat höchstens {length} Zeichen.',
  lockUnset: 'Für die Sperre ist noch keine Passphrase festgelegt.',
  lockTaken: 'Die Sperre nutzt die Passphrase deines Tresors. Ändere diese.',
  noSuchBrowser: 'Dieser Browser ist schon abgemeldet.',
  noPassphraseToChange: 'Diesen Tresor hält keine Passphrase, also gibt es keine zu ändern.',
  apiKeyFileNowhere:
    'In dieser Datei steht ein API-Schlüssel, und es gibt keinen sicheren Ort dafür. Die Datei wurde nicht angerührt.',
  askAnotherWayWhether: 'Frag auf anderem Weg nach, ob dort eine neue Identität angelegt wurde.',
  choosePassphraseKennelUnlock:
    'Wähle mit „kennel unlock“ (oder KENNEL_PASSPHRASE) eine Passphrase; der Schlüssel zieht dann von selbst um.',
  choosePassphraseKennelUnlock2:
    'Wähle unter Einstellungen, Sicherheit eine Passphrase und versuch es noch einmal.',
  fileSaysHowSecrets:
    'Die Datei, in der steht, wie deine Geheimnisse aufbewahrt sind, ist nicht lesbar. Sie blieb, wie sie war.',
  identityKeyChanged:
    'Der Identitätsschlüssel von {slug} hat sich geändert. Nachrichten von dort werden zurückgehalten, und nichts wird dorthin gesendet.',
  keyFileAnotherIdentity: 'Die Schlüsseldatei gehört zu einer anderen Identität.',
  keyFileCannotRead: 'Die Schlüsseldatei ist nicht lesbar.',
  keyFileDemoMissing: 'Die Schlüsseldatei der Demo fehlt oder ist beschädigt. Nichts wurde geändert.',
  keyFileNotJson: 'Die Schlüsseldatei ist kein JSON.',
  keyKeyFileNot: 'Ein Schlüssel in der Schlüsseldatei hat nicht 32 Bytes.',
  keyNotSecretsStored:
    'Der Schlüssel aus „{name}“ ist nicht der, mit dem deine Geheimnisse gespeichert wurden.',
  keyNotStored: 'Der Schlüssel wurde nicht gespeichert: Es gibt noch keinen sicheren Ort dafür.',
  keyStoreMissing: 'Der Schlüssel dieses Speichers fehlt; der Speicher wurde nicht angerührt.',
  keychainComputerNotAnswer: 'Der Schlüsselbund dieses Computers hat nicht geantwortet ({reason}).',
  keychainNotAnswerTime:
    'Der Schlüsselbund ({name}) hat nicht rechtzeitig geantwortet. Nichts wurde geändert.',
  keychainNotFolderKey:
    'Der Schlüsselbund „{name}“ hat den Schlüssel dieses Ordners nicht. Nichts wurde geändert.',
  keysKeptKeychainSession: 'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung hat keinen.',
  keysKeptKeychainSession2:
    'Deine Schlüssel liegen im Schlüsselbund „{name}“, und diese Sitzung bietet stattdessen „{other}“.',
  keysLockedPassphrase: 'Deine Schlüssel sind mit einer Passphrase gesperrt.',
  keysWrappedAnotherKennel:
    'Die Schlüssel sind vom Tresor eines anderen Kennels verpackt und öffnen sich nur dort.',
  left: '{what} Sie wurde nicht angerührt.',
  lookWindowUnlockTry: 'Such sein Fenster, entsperre ihn und versuch es noch einmal.',
  noDeviceKey: 'Der Geräteschlüssel fehlt.',
  noEncryptionKey: 'Der Schlüssel zum Verschlüsseln fehlt.',
  noEncryptionMachinePassed:
    'Keine Verschlüsselung auf diesem Computer hat ihren Selbsttest bestanden: {reasons}.',
  noKeyFile: 'Für {slug} gibt es keine Schlüsseldatei.',
  noKeychainNoPassphrase: 'Es gibt weder Schlüsselbund noch Passphrase, also wurde nichts gespeichert.',
  noRootKey: 'Der Stammschlüssel fehlt.',
  noVaultMoveYet: 'Es gibt noch keinen Tresor, der umziehen könnte.',
  notPassphrase: 'Das ist nicht die Passphrase. Nichts wurde geändert.',
  notPuffoHandle: '„{slug}“ ist kein Puffo-Name.',
  nothingChanged: 'Nichts wurde geändert.',
  putBack: 'Leg {path} wieder zurück.',
  putBackBackup:
    'Hole sie aus einer Sicherung zurück; ohne sie lassen sich die gespeicherten Schlüssel nicht öffnen.',
  putFileBackBackup: 'Hol die Datei aus einer Sicherung zurück.',
  putKeyFileBack:
    'Hol die .key-Datei aus einer Sicherung zurück oder verschiebe den Speicher, um einen neuen anzufangen.',
  realIdentitiesKeysNot:
    'Echte Identitäten und Schlüssel werden nicht gespeichert, solange nur die Demo geschützt ist.',
  startKennelSessionWhere:
    'Starte Kennel in einer Sitzung, in der dieser Schlüsselbund da und entsperrt ist.',
  storedKeyNot32: 'Ein gespeicherter Schlüssel hat nicht 32 Bytes.',
  storedKeysLocked: 'Die gespeicherten Schlüssel sind gesperrt.',
  storedSecretCannotOpened:
    'Ein gespeichertes Geheimnis lässt sich nicht öffnen: Es ist beschädigt oder gehört woandershin.',
  storedSecretNotText: 'Ein gespeichertes Geheimnis ist kein Text.',
  typeAppSetKennel: 'Gib sie hier ein, oder setze KENNEL_PASSPHRASE.',
  unlockKeychainChoosePassphrase:
    'Entsperre einen Schlüsselbund oder wähle eine Passphrase, und gib den Schlüssel dann noch einmal ein.',
  unlockKeychainChoosePassphrase2: 'Entsperre einen Schlüsselbund oder wähle eine Passphrase.',
  unlockKeychainTypePassphrase: 'Entsperre den Schlüsselbund oder gib die Passphrase ein.',
  unlockTryAgainChoose: 'Entsperre ihn und versuch es noch einmal, oder wähle eine Passphrase.',
};
