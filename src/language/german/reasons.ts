import type { Words } from '../words.ts';

export const reasons: Words<'reasons'> = {
  paused: 'pausiert',
  dm: 'wollte nichts dazu sagen',
  dm_off: 'antwortet nicht auf Direktnachrichten',
  channel_never: 'soll sich aus diesem Raum heraushalten',
  channel_all: 'wollte nichts dazu sagen',
  mention: 'wollte nichts dazu sagen',
  mention_off: 'antwortet nicht auf Erwähnungen',
  not_mentioned: 'wurde nicht erwähnt',
  agent_not_mentioned: 'ein anderer Agent hat das geschrieben, ohne Erwähnung',
  first_contact: 'du hast den Absender noch nicht angenommen',
  blocked_sender: 'du hast den Absender gesperrt',
  sender_limit: 'der Absender hat in einer Stunde mehr geschrieben, als er beantwortet',
  too_old: 'die Nachricht kam später, als die Einstellungen erlauben',
  agent_brake: 'die Agenten haben lange genug untereinander geredet. Schreib etwas, dann geht es weiter',
};
