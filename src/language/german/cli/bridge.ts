import type { CliPart } from '../../cli-message.ts';

export const cliBridge: CliPart<'cliBridge'> = {
  listens: 'Die Brücke ist unter {url} erreichbar.',
  open: 'Bis {time} darf sich ein Gerät koppeln, Code {code}.',
  openFor: 'Bis {time} darf sich nur {device} koppeln.',
  paired: 'Gekoppelt mit {slug}, Gerät {device}, seit {time}.',
  silent: 'Die Brücke ist nicht erreichbar. {why}',
  tries: '{failed} von 10 Versuchen {failed|ist|sind} gescheitert.',
  unpaired: 'Kein Gerät ist gekoppelt. „kennel pairing open“ lässt eines zu.',
  address: 'Adresse',
  codeIs: 'Es muss diesen Code senden: {code}',
  dataGood: 'Gilt, bis Kennel beendet wird, nur für die Nachrichten dieses Agenten, zum Beispiel:',
  mayPair: 'Bis {time} darf sich ein Gerät unter {url} koppeln.',
  nonePaired: 'Kein Gerät war gekoppelt.',
  onlyDevice: 'Nur {device} darf es.',
  showsWho: '„kennel pairing show“ zeigt, wer sich gekoppelt hat.',
  socket: 'Socket',
  token: 'Token',
  unpairedSlug: 'Das Gerät von {slug} darf hier nichts mehr.',
};
