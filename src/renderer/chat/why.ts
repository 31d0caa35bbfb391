import { useCallback, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface Why {
  /** Explanations by agent id, without the name; `null` until requested. */
  readonly texts: Readonly<Record<string, string>> | null;
  ask(): void;
}

/** Explains how each agent treated a message; each request asks the host again. */
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
