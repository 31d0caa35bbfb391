import type { CliPart } from '../../cli-message.ts';

export const cliRuntimes: CliPart<'cliRuntimes'> = {
  asks: 'FRAGT VORHER',
  asksAlways: 'immer',
  asksNever: 'nie',
  asksPartly: 'nicht immer',
  installWith: '{title} installieren: {command}',
  logInWith: 'Bei {title} anmelden: {command}',
  loggedOut: 'nicht angemeldet',
  missing: 'nicht installiert',
  notYet: 'noch nicht unterstützt',
  ready: 'bereit',
};
