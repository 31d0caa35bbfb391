import type { HostSentences } from '../../host-sentences.ts';

/** Servers, connections, message delivery and key changes. */
export const serverSentences: HostSentences = {
  "The server's answer does not have the agreed form ({field}).":
    'Die Antwort des Servers hat nicht die vereinbarte Form ({field}).',
  'Not sent: another computer was connected as this identity. The text is kept here.':
    'Nicht gesendet: Ein anderer Computer war mit dieser Identität verbunden. Der Text ist hier aufgehoben.',
  'Not sent. {~why} The text is kept here.': 'Nicht gesendet. {why} Der Text ist hier aufgehoben.',
  'Waits at the server until {name} lets you write.': 'Wartet beim Server, bis {name} dich schreiben lässt.',
};
