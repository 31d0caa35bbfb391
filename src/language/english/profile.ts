export const profile = {
  title: 'You',
  text: 'Everyone in your spaces sees this.',
  name: 'Your name',
  nameHint: 'Up to 60 characters. Your handle stays {slug}.',
  saved: 'Saved.',
  untold: 'Saved here, not yet on the server. Kennel updates the server as soon as it is connected.',
} as const;
