import type { CliPart } from '../../cli-message.ts';

export const cliRuntimes: CliPart<'cliRuntimes'> = {
  asks: 'FRAGT VORHER',
  asksAlways: 'immer',
  asksNever: 'nie',
  asksPartly: 'nicht immer',
  checkDenial: 'befolgt eine Ablehnung',
  checkEdit: 'fragt, bevor es eine Datei ändert',
  checkNetwork: 'fragt, bevor es das Netz benutzt',
  checkRewrite: 'befolgt einen geänderten Aufruf',
  checkShell: 'fragt, bevor es einen Befehl ausführt',
  checkSubAgent: 'fragt für die Aktionen eines Unteragenten',
  failed: 'Test nicht bestanden',
  installWith: '{title} installieren: {command}',
  ownLogin:
    '{title}: Ohne ein Modell von Kennel nutzt es seine eigene Anmeldung. Kennel zählt diesen Verbrauch nach jedem Zug, ein Limit stoppt also erst den nächsten Zug.',
  logInWith: 'Bei {title} anmelden: {command}',
  loggedOut: 'nicht angemeldet',
  missing: 'nicht installiert',
  needsSandbox: 'braucht eine Sandbox',
  notYet: 'noch nicht unterstützt',
  notTested: '{text} (nicht geprüft)',
  passed: 'ja',
  ready: 'bereit',
  tested: '{text} (geprüft)',
  unknown: 'Es gibt keinen Kommandozeilen-Agenten „{name}“. Bekannt sind: {known}',
};
