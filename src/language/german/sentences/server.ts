import type { HostSentences } from '../../host-sentences.ts';

/** Servers, connections, message delivery and key changes. */
export const serverSentences: HostSentences = {
  'The server cannot be reached.': 'Der Server ist nicht erreichbar.',
  'The server cannot be reached ({code}).': 'Der Server ist nicht erreichbar ({code}).',
  'Kennel keeps trying. Check that the server runs and that this machine reaches it.':
    'Kennel versucht es weiter. Prüfe, ob der Server läuft und dieser Computer ihn erreicht.',
  'Is there a network? Does the address in agent.yml hold? Kennel keeps trying.':
    'Gibt es ein Netz? Stimmt die Adresse in agent.yml? Kennel versucht es weiter.',
  'The server did not answer in time.': 'Der Server hat nicht rechtzeitig geantwortet.',
  'The server closed the connection ({code}).': 'Der Server hat die Verbindung geschlossen ({code}).',
  'The connection to the server ended; it is being made again.':
    'Die Verbindung zum Server ist abgebrochen und wird neu aufgebaut.',
  'The server refused the connection ({said}).': 'Der Server hat die Verbindung abgelehnt ({said}).',
  'The server refused this device.': 'Der Server hat dieses Gerät abgelehnt.',
  'The server does not accept this device.': 'Der Server nimmt dieses Gerät nicht an.',
  "The server's answer broke off.": 'Die Antwort des Servers brach ab.',
  "The server's answer does not have the agreed form.":
    'Die Antwort des Servers hat nicht die vereinbarte Form.',
  "The server's answer does not have the agreed form ({field}).":
    'Die Antwort des Servers hat nicht die vereinbarte Form ({field}).',
  'The server answered with something that is not JSON.':
    'Der Server antwortete mit etwas, das kein JSON ist.',
  'The server does not know that.': 'Der Server kennt das nicht.',
  'The server does not take this.': 'Der Server nimmt das nicht an.',
  'The server says that this is so already.': 'Der Server sagt, dass es schon so ist.',
  'The server does not know that. Nothing was changed.': 'Der Server kennt das nicht. Nichts wurde geändert.',
  'The server does not take this. Nothing was changed.':
    'Der Server nimmt das nicht an. Nichts wurde geändert.',
  '{=what} Nothing was changed.': '{what} Nichts wurde geändert.',
  'The server knows nobody called {name}.': 'Der Server kennt niemanden namens {name}.',
  'The known keys were damaged on disk. They are fetched again.':
    'Die bekannten Schlüssel waren auf der Festplatte beschädigt. Sie werden neu geholt.',
  'The server lists no valid identity for {name}.': 'Der Server nennt keine gültige Identität für {name}.',
  'Another computer, or another copy of this data folder, is connected as this identity. Nothing is read or sent here until it stops.':
    'Ein anderer Computer oder eine andere Kopie dieses Datenordners ist mit dieser Identität verbunden. Hier wird nichts gelesen oder gesendet, bis das endet.',
  'Not sent: another computer was connected as this identity. The text is kept here.':
    'Nicht gesendet: Ein anderer Computer war mit dieser Identität verbunden. Der Text ist hier aufgehoben.',
  'Not sent. {~why} The text is kept here.': 'Nicht gesendet. {why} Der Text ist hier aufgehoben.',
  'Waits at the server until {name} lets you write.': 'Wartet beim Server, bis {name} dich schreiben lässt.',
  "This computer's clock is {n} minutes {=side} the server's, so the server refuses its signatures. Set the clock; everything is kept and goes on by itself.":
    'Die Uhr dieses Computers geht gegenüber dem Server {n} Minuten {side}, deshalb lehnt er die Unterschriften ab. Stell die Uhr; alles ist aufgehoben und geht von selbst weiter.',
  'ahead of': 'vor',
  behind: 'nach',
  'The identity key of {slug} has changed. Nothing is sent to or accepted from it.':
    'Der Identitätsschlüssel von {slug} hat sich geändert. Nichts wird dorthin gesendet oder von dort angenommen.',
  'The identity key of {slug} is not the one it had before. Nothing is sent to them until you have checked with them on another way.':
    'Der Identitätsschlüssel von {slug} ist nicht mehr der alte. Nichts wird dorthin gesendet, bis du auf anderem Weg nachgefragt hast.',
  '{slug} wants to write to you. What they wrote waits at the server.':
    '{slug} möchte dir schreiben. Die Nachricht wartet beim Server.',
  'Answer with "kennel peers allow {slug}" or "kennel peers block {again}".':
    'Antworte auf der Startseite oder unter Einstellungen, Verbindung.',
  'A message was refused ({reason}). Nothing else was disturbed.':
    'Eine Nachricht wurde abgewiesen ({reason}). Sonst ist nichts gestört.',
  'The server says that #{name} is not encrypted any more. This computer knows it as encrypted, so nothing is sent there in the clear.':
    'Der Server sagt, dass #{name} nicht mehr verschlüsselt ist. Dieser Computer kennt den Kanal als verschlüsselt, also wird dort nichts offen gesendet.',
  'Ask the others in another way. To talk in the clear, make a new channel that is not encrypted.':
    'Frag die anderen auf anderem Weg. Um offen zu sprechen, lege einen neuen, unverschlüsselten Kanal an.',
  'There is no device to send this message to.': 'Es gibt kein Gerät, an das diese Nachricht gehen könnte.',
  'Try again later.': 'Versuch es später noch einmal.',
  'Kennel tries again by itself.': 'Kennel versucht es von selbst noch einmal.',
  'It is tried again.': 'Es wird noch einmal versucht.',
  'Nothing to do: it goes on by itself.': 'Nichts zu tun: Es geht von selbst weiter.',
  'You are not connected; this is what was known before.':
    'Du bist nicht verbunden; das ist, was vorher bekannt war.',
  'This room is on a server that is not run by this Kennel, so its own records cannot be shown.':
    'Dieser Raum liegt auf einem Server, den nicht dieses Kennel betreibt; seine Aufzeichnungen lassen sich nicht zeigen.',
};
