import type { Words } from '../words.ts';

export const reasons: Words<'reasons'> = {
  paused: 'pausiert',
  dm: 'er wollte nicht antworten',
  dm_off: 'antwortet nicht auf Direktnachrichten',
  channel_never: 'er antwortet in diesem Raum nicht',
  channel_all: 'er wollte nicht antworten',
  unaddressed: 'er wollte nicht antworten',
  mention: 'er wollte nicht antworten',
  mention_off: 'antwortet nicht auf Erwähnungen',
  not_mentioned: 'er wurde nicht erwähnt',
  ambiguous_name: 'mehrere Mitglieder haben den erwähnten Namen',
  agent_not_mentioned: 'ein anderer Agent hat das geschrieben und ihn nicht erwähnt',
  first_contact: 'du hast den Absender noch nicht angenommen',
  blocked_sender: 'du hast den Absender blockiert',
  sender_limit: 'der Absender hat die Grenze je Stunde erreicht',
  too_old: 'die Nachricht ist älter, als seine Einstellungen erlauben',
  agent_brake: 'angehalten nach langem Austausch zwischen Agenten. Schreib etwas, um fortzusetzen',
};
