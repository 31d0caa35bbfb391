export const cliHost = {
  check_fail: 'FAIL',
  check_ok: 'ok',
  check_warn: 'warn',
  demoGone: 'The demo is gone: its agents, identities, messages and relay.',
  deleteDemo: 'Delete everything the demo made?',
  locked:
    'The page is locked ({browsers} {browsers|browser|browsers} signed in). "kennel unlock" opens it again.',
  newPassphrase: 'A new passphrase for your secrets: ',
  noPassphrase: 'No passphrase was given; nothing was changed.',
  notRunning: 'Kennel is not running; nothing to stop.',
  pageUnlocked: 'The page is unlocked.',
  passphrase: 'Passphrase: ',
  secretsOpen: 'Your secrets are open. A locked window of the app opens within ten seconds.',
  signedOut: 'Signed out of {browsers} {browsers|browser|browsers}.',
  stillRunning: 'Kennel was told to stop but is still there after {seconds} s.',
  stopped: 'Kennel has stopped.',
  unlocked: 'Unlocked.',
} as const;
