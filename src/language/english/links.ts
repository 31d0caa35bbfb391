export const links = {
  cannotOpen: 'This address cannot be opened from here: {address}',
  writeMail: 'Write an e-mail?',
  leave: 'Leave Kennel?',
  leadsTo: 'This link was written in a message. It leads to <b>{where}</b>.',
  copyCode: 'Copy the code',
  stay: 'Stay here',
  open: 'Open it',
  picture: '[picture]',
  pictureOf: '[picture: {words}]',
} as const;
