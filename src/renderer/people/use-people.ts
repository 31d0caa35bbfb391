import { useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { PersonView } from '../../contract/people-methods.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface FoundPeople {
  /** `null` before the first answer. */
  readonly people: readonly PersonView[] | null;
  /** Number of matches, of which the host returns a limited number. */
  readonly total: number;
  /** The text that `people` belongs to. */
  readonly text: string;
  readonly error: AppError | null;
}

const nothing: FoundPeople = { people: null, total: 0, text: '', error: null };

/** People and agents that match `text`; reads nothing while it is `null`. */
export function usePeople(text: string | null): FoundPeople {
  const { link } = useReplica();
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (text === null) return;
    let current = true;
    void link.call('people.find', { text }).then((answer) => {
      if (!current) return;
      setFound((before) =>
        answer.ok ? { ...answer.value, text, error: null } : { ...before, text, error: answer.error },
      );
    });
    return () => {
      current = false;
    };
  }, [link, text]);
  return found;
}
