import type { CliPart } from '../../cli-message.ts';

export const cliBridge: CliPart<'cliBridge'> = {
  listens: 'Die Brücke ist unter {url} erreichbar.',
  open: 'Bis {time} darf sich ein Gerät koppeln, Code {code}.',
  openFor: 'Bis {time} darf sich nur {device} koppeln.',
  paired: 'Gekoppelt mit {slug}, Gerät {device}, seit {time}.',
  silent: 'Die Brücke ist nicht erreichbar. {why}',
  tries: '{failed} von 10 Versuchen {failed|ist|sind} gescheitert.',
  unpaired: 'Kein Gerät ist gekoppelt. „kennel pairing open“ lässt eines zu.',
};
