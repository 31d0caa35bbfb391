import { useMemo } from 'react';
import type { Approval } from '../../contract/consent.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { useAsked, useShown } from '../state/asked.ts';

/** The questions that came from a room, with those answered since it was opened. */
export function useAskedHere(roomId: string): readonly Approval[] {
  const asked = useAsked();
  const here = useMemo(() => asked.filter((approval) => approval.roomId === roomId), [asked, roomId]);
  return useShown(here);
}

/** The card where it was asked, under the words that led to it. */
export function AskedHere({ shown }: { shown: readonly Approval[] }) {
  return (
    <div className="asked-here">
      <AskList shown={shown} compact />
    </div>
  );
}
