import type { HostPart } from '../../host-part.ts';

export const identity: HostPart<'identity'> = {
  allowOrBlockPeer: 'Antworte mit „kennel peers allow {slug}“ oder „kennel peers block {again}“.',
  compareFingerprint: 'Lass dir den Fingerabdruck vorlesen („kennel operator show“) und vergleiche ihn ganz.',
  demoNotFinished: 'Die Demo wurde nicht fertig: {what}. Was angelegt wurde, bleibt.',
  currentDevice: 'Du benutzt dieses Gerät gerade.',
  noJoinRequest: 'Dieses Gerät wollte keinem Konto beitreten.',
  fileDamaged: 'Eine Datei von Kennel ist beschädigt; sie wurde nicht angerührt.',
  filesWithoutIdentity: '{id} hat seine Dateien und noch keine Identität: {why}',
  kennelTaken: 'Dieses Kennel gehört schon {present}.',
  kennelRetries: 'Kennel versucht es von selbst noch einmal.',
  checkDiskBeforeStop:
    'Kennel versucht es weiter, bis es endet. Prüfe die Festplatte, bevor du Kennel beendest.',
  keyChangedAgain: 'Der Schlüssel von {slug} hat sich gerade wieder geändert. Prüfe ihn noch einmal.',
  keyNotChanged: 'Der Schlüssel von {slug} hat sich nicht geändert, also gibt es nichts anzunehmen.',
  deviceKeysDamaged: 'Die Schlüssel dieses Geräts sind beschädigt; fang neu an.',
  registrationKeysDamaged: 'Die Schlüssel einer Registrierung sind beschädigt; sie wurden nicht angerührt.',
  ownNameKeyKept:
    '{slug} ist dein eigener Name. Kennel vertraut dem hier gespeicherten Schlüssel, was immer der Server sagt.',
  enrolNewDevice: 'Führe auf einem neuen Gerät „kennel operator enrol --server URL“ aus.',
  noDemo: 'Dieser Ordner enthält keine Demo.',
  unknownDevice: 'Du hast kein Gerät „{named}“.',
  noOperator: 'Du bist noch nicht angemeldet.',
  noSignUpToResume: 'Es gibt keine Anmeldung zum Fortsetzen.',
  wrongFingerprint: 'Das ist nicht der Fingerabdruck, der für {slug} angeboten wird. Nichts wurde geändert.',
  notSignedUp: 'Du bist hier nicht angemeldet.',
  devicesNeedSignUp: 'Du bist hier nicht angemeldet, also kann kein Gerät dazukommen.',
  wrongDeviceWords: 'Das sind nicht die Worte des Geräts, das jetzt fragt. Prüfe sie noch einmal.',
  signUpNoteDamaged: 'Die Notiz über deine Anmeldung ist beschädigt; sie wurde nicht angerührt.',
  askServerOperator: 'Nichts wurde geändert. Frag den Betreiber des Servers, was geschehen ist.',
  profileGone: 'Das Profil gibt es nicht mehr.',
  removeDemoFirst: 'Ist das die Demo, führe „kennel demo remove“ aus und melde dich dann an.',
  revokeFromOtherDevice: 'Schließe es von einem anderen deiner Geräte aus.',
  runAgentRegister: 'Führe dann „kennel agent register {id}“ aus.',
  runOperatorEnrol: 'Führe „kennel operator enrol --server URL“ aus.',
  runSignUpOrEnrol:
    'Führe „kennel operator sign-up“ aus, oder „kennel operator enrol“ für ein vorhandenes Konto.',
  runOperatorDevices: '„kennel operator devices“ zeigt deine Geräte.',
  signUpHalfDone: 'Deine Anmeldung als {name} bei {server} ist nicht abgeschlossen.',
  demoNeedsEmptyFolder: 'Du bist schon angemeldet. Die Demo braucht einen Ordner ohne Konto.',
  alreadySignedUp: 'Du bist schon als {slug} angemeldet.',
  tryAgain: 'Versuch es noch einmal.',
  getsIdentity: 'Seine Dateien sind da. Seine Identität bekommt er von selbst, sobald sein Server antwortet.',
  notConnected:
    'Er ist nicht verbunden: Fülle puffo_core in seiner agent.yml aus, dann verbindet er sich von selbst.',
  agentSyncsLater:
    'Hier gespeichert; der Server weiß es noch nicht. Kennel sagt es ihm von selbst, sobald der Agent verbunden ist.',
  youSyncLater:
    'Hier gespeichert; der Server weiß es noch nicht. Kennel sagt es ihm von selbst, sobald du verbunden bist.',
  goesOnByItself: 'Nichts zu tun: Es geht von selbst weiter.',
  serverDoesNotKnow: 'Hier gespeichert, aber der Server weiß es noch nicht: {why}',
  triesAgain: 'Kennel versucht es von selbst wieder.',
  serverRefuses: 'Hier gespeichert, aber der Server lehnt es ab: {why}',
  changeAndSave: 'Ändere es und speichere noch einmal.',
  isTriedAgain: 'Es wird noch einmal versucht.',
  profileOvertaken:
    'Das Profil wurde auf dem Server nach deiner Änderung geändert. Hier gilt deins: {mine}. Der Server zeigt: {theirs}.',
  editAgain: 'Ändere es noch einmal, damit auch der Server es zeigt.',
  serverKnowsYou: 'Der Server kennt dich schon; Kennel macht weiter, wenn er erreichbar ist.',
  serverDidNotAnswer:
    'Der Server hatte nicht geantwortet. Deine Schlüssel und der Einladungscode sind aufgehoben.',
  wantsToWrite: '{slug} möchte dir schreiben. Die Nachricht wartet beim Server.',
  signUpInterrupted: 'Deine Anmeldung als {name} bei {server} wurde unterbrochen. {note}',
  resumeOrDrop:
    'Setze sie mit „kennel operator resume“ fort, oder gib sie mit „kennel operator resume --drop“ auf.',
  revocationNotSaved:
    'Kennel konnte nicht speichern, welche Agenten auf ihrem Server abzumelden sind ({slugs}): {why}',
  retirementsKept:
    'Die Liste der Agenten, die auf ihrem Server abzumelden sind, war beschädigt. Kennel hat sie als {kept} aufbewahrt und eine neue begonnen.',
  retirementsLeft:
    'Die Liste der Agenten, die auf ihrem Server abzumelden sind, war beschädigt. Kennel hat sie unverändert gelassen: {path}.',
  restoreRetirements:
    'Stelle die Datei aus einer Sicherung wieder her. Gelöschte Agenten auf ihr werden bis dahin nicht abgemeldet.',
};
