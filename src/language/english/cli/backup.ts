export const cliBackup = {
  aside: 'The previous data is in {aside}. Delete it when you are sure.',
  keychain: `It opens only where the keychain "{backend}" has this folder's key.`,
  made: 'Backed up {files} files, {size}, to {path}.',
  replaces: 'This replaces {home} with {from}. The present folder is renamed, not deleted. Continue?',
  restored: 'Restored {files} files as they were on {time}.',
} as const;
