import { useMemo } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import type { ChatMessage } from '../../contract/model.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { useAsked, useShown } from '../state/approvals.ts';

/**
 * Approvals that came from this room without a message in it, including those answered since it was opened.
 */
export function useAskedHere(roomId: string, messages: readonly ChatMessage[]): readonly Approval[] {
  const asked = useAsked();
  const here = useMemo(() => asked.filter((approval) => approval.roomId === roomId), [asked, roomId]);
  const shown = useShown(here);
  return useMemo(() => {
    const said = new Set(messages.map((message) => message.asks));
    return shown.filter((approval) => !said.has(approval.id));
  }, [shown, messages]);
}

export function AskedHere({ shown }: { shown: readonly Approval[] }) {
  return (
    <div className="asked-here">
      <AskList shown={shown} compact />
    </div>
  );
}
