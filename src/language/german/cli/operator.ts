import type { CliPart } from '../../cli-message.ts';

export const cliOperator: CliPart<'cliOperator'> = {
  active: 'aktiv',
  addYesAfter: 'Vergleiche, was oben steht, und füge dann --yes hinzu.',
  asksSomething: 'Hier wirst du etwas gefragt.',
  asksToJoin: 'Ein Gerät möchte eines von {slug} werden. Es muss dieselben Wörter zeigen: {words}',
  becomeHere: 'Hier {slug} werden?',
  canDoAll:
    'Es kann dann alles, was du kannst: neue Nachrichten lesen, als du schreiben, deine Agenten verwalten.',
  dropped: 'Aufgegeben: {username} bei {server}. Die Schlüssel sind gelöscht.',
  fingerprintIs: 'Fingerabdruck, zum Vergleichen für andere: {fingerprint}',
  ifNotYours: 'Wenn es doch nicht deines war: sofort „kennel operator revoke“ mit dieser Kennung.',
  inTerminal: 'Führe es in einem Terminal aus oder füge --yes hinzu.',
  joined: 'Du bist jetzt auch hier {slug}. {note}',
  letIn: 'Hinzugefügt: {device}',
  letThisIn: '{slug} hat dieses Gerät hinzugefügt. Der Fingerabdruck, wie ihn das andere Gerät zeigt:',
  meanIt: 'Das Gerät ist dann endgültig gesperrt. Füge --yes hinzu, wenn du es willst.',
  newCode: 'Führe den Befehl noch einmal aus, um einen neuen Code zu bekommen.',
  nobody:
    'Noch kein Konto. Probiere es mit „kennel start --demo“ aus oder führe „kennel operator sign-up“ aus.',
  notJoined: 'Nicht beigetreten. {note}',
  notLetIn: 'Nicht hinzugefügt; nichts wurde geändert.',
  onOtherDevice: 'Führe auf dem Gerät, auf dem du angemeldet bist, aus:',
  revokeAsk: '{device} endgültig sperren?',
  revoked:
    '{device} ist gesperrt: Es bekommt keine Nachrichten mehr und kann nichts unterschreiben. Was es gelesen hat, und eine Kopie deines Identitätsschlüssels bleiben darauf.',
  revokedAt: 'gesperrt {time}',
  sameWords: 'Sind die Wörter auf beiden gleich, und ist es dein Gerät?',
  thisDevice: 'dieses Gerät',
  timedOut: 'Innerhalb von zehn Minuten wurde dieses Gerät nicht hinzugefügt; nichts wurde geändert.',
  unfinishedNone: 'Es gibt keine unterbrochene Anmeldung.',
  wait: 'Warte darauf, höchstens zehn Minuten. Strg-C bricht ab.',
  wordsHere: 'Es muss dieselben Wörter zeigen wie hier: {words}',
  youAreAt: 'Du bist {slug} bei {server}.',
  youAt: '{name} ({slug}) bei {server}, {connection}',
  yourFingerprint: 'Dein Fingerabdruck, den es jetzt zeigt: {fingerprint}',
};
