export const cliValues = {
  bytes: '{bytes, number} {bytes|byte|bytes}',
  default: '(default)',
  defaultIs: '(default: {value})',
  none: '(none)',
  off: 'off',
  on: 'on',
  tokens: '{tokens, number} tokens',
  bytesFew: '{bytes} bytes',
} as const;
