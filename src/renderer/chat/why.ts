import { useCallback, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface Why {
  /** By agent id, what follows the name; null as long as nobody asked. */
  readonly texts: Readonly<Record<string, string>> | null;
  ask(): void;
}

/** What each agent made of a message, asked anew whenever somebody wants to know. */
export function useWhy(message: ChatMessage): Why {
  const { link } = useReplica();
  const [texts, setTexts] = useState<Why['texts']>(null);
  const { id } = message;
  const ask = useCallback((): void => {
    void link.call('chat.why', { message: id }).then((result) => {
      if (result.ok) setTexts(Object.fromEntries(result.value.agents.map((one) => [one.agentId, one.text])));
    });
  }, [link, id]);
  return { texts, ask };
}
