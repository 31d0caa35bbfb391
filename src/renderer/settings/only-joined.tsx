import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import { useRooms } from '../state/subscriptions.ts';

/** Renders content that needs an account at a server, or a note that one is missing. */
export function OnlyJoined({ children }: { children: ReactNode }) {
  const joined = useRooms((view) => (view?.self ?? null) !== null);
  return joined ? children : <p className="card soft">{t('contacts.notJoined')}</p>;
}
