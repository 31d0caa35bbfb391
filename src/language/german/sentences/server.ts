import type { HostSentences } from '../../host-sentences.ts';

/** Servers, connections, message delivery and key changes. */
export const serverSentences: HostSentences = {
  'Kennel keeps trying. Check that the server runs and that this machine reaches it.':
    'Kennel versucht es weiter. Prüfe, ob der Server läuft und dieser Computer ihn erreicht.',
  'Is there a network? Does the address in agent.yml hold? Kennel keeps trying.':
    'Gibt es ein Netz? Stimmt die Adresse in agent.yml? Kennel versucht es weiter.',
  "The server's answer does not have the agreed form ({field}).":
    'Die Antwort des Servers hat nicht die vereinbarte Form ({field}).',
  'Not sent: another computer was connected as this identity. The text is kept here.':
    'Nicht gesendet: Ein anderer Computer war mit dieser Identität verbunden. Der Text ist hier aufgehoben.',
  'Not sent. {~why} The text is kept here.': 'Nicht gesendet. {why} Der Text ist hier aufgehoben.',
  'Waits at the server until {name} lets you write.': 'Wartet beim Server, bis {name} dich schreiben lässt.',
  '{slug} wants to write to you. What they wrote waits at the server.':
    '{slug} möchte dir schreiben. Die Nachricht wartet beim Server.',
  'A message was refused ({reason}). Nothing else was disturbed.':
    'Eine Nachricht wurde abgewiesen ({reason}). Sonst ist nichts gestört.',
  'The server says that #{name} is not encrypted any more. This computer knows it as encrypted, so nothing is sent there in the clear.':
    'Der Server sagt, dass #{name} nicht mehr verschlüsselt ist. Dieser Computer kennt den Kanal als verschlüsselt, also wird dort nichts offen gesendet.',
  'Ask the others in another way. To talk in the clear, make a new channel that is not encrypted.':
    'Frag die anderen auf anderem Weg. Um offen zu sprechen, lege einen neuen, unverschlüsselten Kanal an.',
  'It is tried again.': 'Es wird noch einmal versucht.',
  'Nothing to do: it goes on by itself.': 'Nichts zu tun: Es geht von selbst weiter.',
  'You are not connected; this is what was known before.':
    'Du bist nicht verbunden; das ist, was vorher bekannt war.',
  'This room is on a server that is not run by this Kennel, so its own records cannot be shown.':
    'Dieser Raum liegt auf einem Server, den nicht dieses Kennel betreibt; seine Aufzeichnungen lassen sich nicht zeigen.',
};
