export const cliBackup = {
  aside: 'What was there before is in {aside}; delete it when you are sure.',
  keychain: `It opens only where the keychain "{backend}" has this folder's key.`,
  made: 'Backed up {files} files, {size}, to {path}.',
  replaces: 'This puts {from} in the place of {home}, which steps aside. Go on?',
  restored: 'Restored {files} files as they were on {time}.',
} as const;
