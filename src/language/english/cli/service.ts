export const cliService = {
  cannotStop: 'Removed the service; it could not be told to stop.',
  headless: 'Does it have to run while you are not logged in? Then also:',
  installed: 'Kennel runs as a service now, and starts with your login. ({path})',
  locked: 'With a passphrase it starts locked: run "kennel unlock" after each start.',
  none: 'There is no such service; nothing was changed.',
  removed: 'Stopped and removed the service.',
  toStart: 'To start it:',
  wrote: 'Wrote {path}.',
} as const;
