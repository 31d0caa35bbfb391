import type { CliPart } from '../../cli-message.ts';

export const cliValues: CliPart<'cliValues'> = {
  bytes: '{bytes, number} Byte',
  default: '(Vorgabe)',
  defaultIs: '(Vorgabe: {value})',
  none: '(keine Angabe)',
  off: 'aus',
  on: 'an',
  tokens: '{tokens, number} Token',
  bytesFew: '{bytes} Byte',
};
