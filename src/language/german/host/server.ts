import type { HostPart } from '../../host-part.ts';

export const server: HostPart<'server'> = {
  askAnotherWayHappened:
    'Frag auf anderem Weg, was geschehen ist. Um offen zu sprechen, lege einen neuen, unverschlüsselten Kanal an.',
  askWhoeverRunsServer:
    'Bitte den Betreiber deines Servers um eine Einladung oder starte mit „kennel relay“ einen eigenen.',
  channelTurnedPlain:
    'Der Server sagt erst jetzt, dass dieser Kanal nicht verschlüsselt ist. Nichts wurde offen gesendet.',
  deviceRevoked:
    'Dieses Gerät wurde ausgeschlossen: {slug} hat es von einem anderen Gerät aus getan. Es bekommt und sendet keine Nachrichten mehr.',
  fileNotKept: 'Eine Datei davon ist hier nicht mehr aufgehoben.',
  hostRunsNoRelay: 'Dieser Host betreibt keinen eigenen Server.',
  identityKeyKeyFile:
    'Der Identitätsschlüssel in der Schlüsseldatei von {slug} ist nicht der, den dieser Computer für den Namen kennt. Nichts wird gesendet oder gelesen, bis die Schlüsseldatei stimmt.',
  jsonNestsTooDeep: 'Das JSON ist zu tief verschachtelt.',
  keyFileLacksCertificates: 'Deiner Schlüsseldatei fehlen die Zertifikate, die ein neues Gerät braucht.',
  keysDeviceNotMade: 'Die Schlüssel dieses Geräts konnten nicht erzeugt werden.',
  messageLongerServerTakes: 'Die Nachricht ist länger, als ein Server annimmt.',
  messageNoRoomGo: 'Die Nachricht hat keinen Raum als Ziel.',
  noDeviceRead: '{slug} hat kein Gerät, das es lesen könnte.',
  notCodeDevice: 'Das ist kein Code eines Geräts: Er hat zwölf Buchstaben und Ziffern.',
  notJson: 'Das ist kein JSON.',
  operatorKeyFileNot: 'Die Schlüsseldatei des Betreibers passt nicht zu seinem Zertifikat.',
  read: 'Was hier ist, bleibt lesbar. Um als neues Gerät zurückzukommen, nimm einen anderen Datenordner (KENNEL_HOME) und dort „kennel operator enrol“.',
  relayInsideKennelNot: 'Der Server in Kennel konnte nicht starten: {message}.',
  sealedMessageOutboxCannot: 'Die versiegelte Nachricht im Ausgang ist nicht lesbar.',
  sendAgainEverybodyServer: 'Sende es noch einmal, wenn alle auf dem Server es lesen dürfen.',
  sendFileAgain: 'Sende die Datei noch einmal.',
  serverAnswerNotAgreed: 'Die Antwort des Servers hat nicht die vereinbarte Form.',
  serverAnsweredAnotherDevice: 'Der Server antwortete für ein anderes Gerät als das, das gefragt hat.',
  serverAnsweredOtherKeys: 'Der Server antwortete mit anderen Schlüsseln als denen dieses Codes.',
  serverRefusesFormMessage:
    'Der Server lehnt die Form der Nachricht ab und sagt zugleich, dass sie für diesen Kanal stimmt.',
  serverSaysChannelNot:
    'Der Server sagt, dass dieser Kanal nicht mehr verschlüsselt ist; dieser Computer kennt ihn als verschlüsselt. Nichts wurde offen gesendet.',
  serverTookChangeShows: 'Der Server nahm die Änderung an und zeigt trotzdem das alte Profil.',
};
