import type { Words } from '../words.ts';

export const programs: Words<'programs'> = {
  question: 'Was führt diesen Agenten aus?',
  looking: 'Agentenprogramme auf diesem Computer werden gesucht…',
  lookAgain: 'Erneut suchen',
  kennelMeans: 'Jedes Modell, mit Werkzeugen, Regeln und Fragen von Kennel. Braucht kein anderes Programm.',
  installed: 'Installiert',
  installedAs: 'Version {version} ist installiert',
  notLoggedIn: 'nicht angemeldet',
  tested: 'geprüft',
  missing: 'Auf diesem Computer nicht installiert. Installiere es und suche dann erneut.',
  adapterMissing: 'Das Programm ist da, aber nicht der Adapter, der es mit Kennel verbindet.',
  copyInstall: 'Befehl kopieren, der {title} installiert',
  copyLogin: 'Befehl zum Anmelden kopieren',
  needsWall:
    'Es fragt nie, bevor es handelt. Deshalb läuft es nur in einer Sandbox, und dieser Computer bietet keine.',
  installBubblewrap: 'Installiere unter Linux bubblewrap und starte Kennel neu.',
  automaticModel:
    'Automatisch: das Modell aller Agenten, falls das Programm es benutzen kann, sonst seine eigene Anmeldung.',
  found: 'Gefunden',
  unknownVersion: 'unbekannte Version',
  asks: 'Fragt vorher',
  asksAlways: 'Es fragt vor jeder Aktion, die deine Regeln nicht erlauben.',
  asksPartly: 'Es fragt, bevor es etwas ändert. Es liest und führt harmlose Befehle aus, ohne zu fragen.',
  asksNever: 'Es fragt nie. Nur seine Sandbox begrenzt, was es tut.',
  notTested: 'Kennel hat diese Version noch nicht geprüft.',
  testedAsks: 'Kennel hat geprüft, dass diese Version vor jeder Aktion fragt.',
  failedTest: 'Diese Version handelt, ohne zu fragen. Deshalb startet Kennel sie nicht.',
  test: 'Prüfen',
  testAgain: 'Erneut prüfen',
  testing:
    'Es läuft einmal mit einem Modell nach Skript, in einem leeren Ordner. Das dauert bis zu einer Minute.',
  checksOf: 'Prüfung von {version}, <when></when>',
  checkShell: 'Fragt, bevor es einen Befehl ausführt',
  checkEdit: 'Fragt, bevor es eine Datei ändert',
  checkNetwork: 'Fragt, bevor es das Netz benutzt',
  checkSubAgent: 'Fragt für die Aktionen eines Unteragenten',
  checkDenial: 'Befolgt eine Ablehnung',
  checkRewrite: 'Befolgt einen geänderten Aufruf',
  checkPassed: 'bestanden',
  checkFailed: 'nicht bestanden',
  mayTouch: 'Darf anfassen',
  touchesFolders: 'Die Ordner des Agenten, in einer Sandbox. Das Netz nur, wenn du es erlaubst.',
  touchesFoldersOpen:
    'Die Ordner des Agenten, in einer Sandbox. Das Netz ist offen, weil es seine eigene Anmeldung benutzt.',
  touchesAll:
    'Alles, was du lesen und ändern kannst: Dieser Computer bietet keine Sandbox. Es läuft mit deinen Rechten und fragt dich einmal vor dem ersten Start.',
  costs: 'Kosten',
  costsModel: 'Das Modell, das du für ihn wählst, gezählt und begrenzt durch das Budget des Agenten.',
  costsKey: 'Dein Schlüssel von Anthropic in Kennel, gezählt und begrenzt durch das Budget des Agenten.',
  costsLogin:
    'Seine eigene Anmeldung, zum Beispiel ein Abo. Der Verbrauch wird nach jedem Zug gezählt, ein Limit stoppt also erst den nächsten Zug.',
  loggedOut:
    'Es ist nicht angemeldet. Melde es mit diesem Befehl an, oder gib Kennel einen Schlüssel von Anthropic.',
  loginUnknown: 'Seine eigene Anmeldung, falls es eine hat, oder ein Schlüssel von Anthropic in Kennel.',
  inTerminal:
    'Seine Sitzung ist seit <time></time> in einem Terminal offen. Er wartet mit neuen Zügen, bis das Terminal endet.',
  context: 'Kontext',
  contextUnknown: 'Das Programm hat ihn noch nicht gemeldet.',
  contextUsed: '{used} Token, <when></when>',
  contextOf: '{used} von {size} Token ({share}), <when></when>',
  attach: 'Im Terminal öffnen…',
  attachTitle: '{title} in deinem Terminal',
  attachText: 'Führe diesen Befehl in einem Terminal dieses Computers aus:',
  copyAttach: 'Befehl kopieren',
  attachMeans:
    'Das Programm setzt die neueste Unterhaltung des Agenten fort, mit denselben Ordnern, derselben Sandbox und demselben Modell. Es fragt dich dort. Was du tippst, wird Teil dieser Unterhaltung. Der Agent wartet und beantwortet, was inzwischen ankam, sobald du das Programm verlässt.',
  licence: 'Lizenz',
  licenceOwn:
    '{title} gehört nicht zu Kennel. Du installierst es und stimmst den Bedingungen seiner Hersteller zu.',
  licenceNamed: '{title} gehört nicht zu Kennel. Du installierst es, unter {licence}.',
  website: 'Website von {title}',
};
