export const profile = {
  title: 'You',
  text: 'Everybody in your spaces sees this, on all your devices.',
  name: 'Your name',
  nameHint: 'Up to 60 characters. Your handle stays {slug}.',
  saved: 'Saved. Your server knows.',
  untold: 'Saved here; your server has not been told yet. Kennel does it by itself.',
} as const;
