/** Presence: of own agents from this host, of other agents from the server. */
import type { Dot, Presence } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { dotWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { useAgentBySlug, useRooms } from './subscriptions.ts';

export interface Seen {
  readonly dot: Dot;
  readonly words: string;
}

const dots: Readonly<Record<Presence['state'], Dot>> = {
  idle: 'idle',
  busy: 'working',
  error: 'error',
  offline: 'offline',
};

/** Returns `null` for people and for agents with an unknown state. */
export function useSeen(slug: string | null): Seen | null {
  const own = useAgentBySlug(slug);
  const seen = useRooms((view) => (slug === null ? null : (view?.presence[slug] ?? null)));
  if (own !== null) return { dot: own.dot, words: dotWords(own.dot) };
  if (seen === null) return null;
  const state = t(`states.presence_${seen.state}`);
  const words =
    seen.errorText === '' ? state : t('states.presenceWhy', { state, why: visibleLine(seen.errorText) });
  return { dot: dots[seen.state], words };
}
