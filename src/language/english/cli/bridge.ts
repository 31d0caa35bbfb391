export const cliBridge = {
  listens: 'The bridge listens at {url}.',
  open: 'A device may pair until {time}, code {code}.',
  openFor: 'Only {device} may pair until {time}.',
  paired: 'Paired with {slug}, device {device}, since {time}.',
  silent: 'The bridge does not listen. {why}',
  tries: '{failed} of 10 tries failed.',
  unpaired: 'No device is paired. "kennel pairing open" lets one in.',
} as const;
