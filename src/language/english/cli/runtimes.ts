export const cliRuntimes = {
  asks: 'ASKS FIRST',
  asksAlways: 'always',
  asksNever: 'never',
  asksPartly: 'not always',
  installWith: 'Install {title}: {command}',
  logInWith: 'Log in to {title}: {command}',
  loggedOut: 'not logged in',
  missing: 'not installed',
  notYet: 'not supported yet',
  ready: 'ready',
} as const;
