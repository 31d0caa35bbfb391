import type { HostPart } from '../../host-part.ts';

export const identity: HostPart<'identity'> = {
  answerKennelPeersAllow: 'Antworte mit „kennel peers allow {slug}“ oder „kennel peers block {again}“.',
  askReadOutTheirs: 'Lass dir den Fingerabdruck vorlesen („kennel operator show“) und vergleiche ihn ganz.',
  demoNotFinished: 'Die Demo wurde nicht fertig: {what}. Was angelegt wurde, bleibt.',
  device: 'Das ist das Gerät, an dem du gerade bist.',
  deviceNotAskedJoin: 'Dieses Gerät wollte keinem Konto beitreten.',
  fileKennelDamaged: 'Eine Datei von Kennel ist beschädigt; sie wurde nicht angerührt.',
  kennelBelongsAlready: 'Dieses Kennel gehört schon {present}.',
  kennelTriesAgainItself: 'Kennel versucht es von selbst noch einmal.',
  kennelTriesAgainUntil:
    'Kennel versucht es weiter, bis es endet. Prüfe die Festplatte, bevor du Kennel beendest.',
  keyChangedAgain: 'Der Schlüssel von {slug} hat sich gerade wieder geändert. Sieh noch einmal hin.',
  keyNotChanged: 'Der Schlüssel von {slug} hat sich nicht geändert: Es gibt nichts anzunehmen.',
  keysDeviceDamaged: 'Die Schlüssel dieses Geräts sind beschädigt; fang neu an.',
  keysRegistrationDamaged: 'Die Schlüssel einer Registrierung sind beschädigt; sie wurden nicht angerührt.',
  nameYours:
    '{slug} ist dein eigener Name: Es gilt der Schlüssel, der hier liegt, was immer der Server sagt.',
  newDeviceRunKennel: 'Führe auf einem neuen Gerät „kennel operator enrol --server URL“ aus.',
  noDemoFolder: 'In diesem Ordner ist keine Demo.',
  noDevice: 'Du hast kein Gerät „{named}“.',
  noOperatorYet: 'Du bist noch nicht angemeldet.',
  noSignUpGo: 'Es gibt keine Anmeldung, die weitergehen könnte.',
  notFingerprintOffered:
    'Das ist nicht der Fingerabdruck, der für {slug} angeboten wird. Nichts wurde geändert.',
  notSignedUp: 'Du bist hier nicht angemeldet.',
  notSignedUpNothing: 'Du bist hier nicht angemeldet, also kann kein Gerät dazukommen.',
  notWordsDeviceAsks: 'Das sind nicht die Worte des Geräts, das jetzt fragt. Sieh noch einmal hin.',
  noteAboutSignUp: 'Die Notiz über deine Anmeldung ist beschädigt; sie wurde nicht angerührt.',
  nothingChanged: 'Nichts wurde geändert. Frag den Betreiber des Servers, was dort geschieht.',
  profileGone: 'Dieses Profil gibt es nicht mehr.',
  removeDemoFirst: 'Ist das die Demo, führe „kennel demo remove“ aus und melde dich dann an.',
  revokeAnotherDevices: 'Schließe es von einem anderen deiner Geräte aus.',
  runKennelAgentRegister: 'Führe dann „kennel agent register {id}“ aus.',
  runKennelOperatorEnrol: 'Führe „kennel operator enrol --server URL“ aus.',
  runKennelOperatorSign:
    'Führe „kennel operator sign-up“ aus, oder „kennel operator enrol“ für ein vorhandenes Konto.',
  seeKennelOperatorDevices: '„kennel operator devices“ zeigt deine Geräte.',
  signUpHalfDone: 'Deine Anmeldung als {name} bei {server} ist halb fertig.',
  signedUpAlready: 'Du bist schon angemeldet; die Demo ist für einen leeren Ordner.',
  signedUpAs: 'Du bist schon angemeldet, als {slug}.',
  tryOnce: 'Versuch es noch einmal.',
};
