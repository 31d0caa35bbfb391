import { useMemo } from 'react';
import type { Approval } from '../../contract/consent.ts';
import { Empty } from '../parts/empty.tsx';
import { Name } from '../parts/name.tsx';
import { useNow } from '../parts/time.tsx';
import { callsNow, useAsked, useShown } from '../state/asked.ts';
import { byWords } from '../words/order.ts';
import { AskList } from './ask-list.tsx';

interface Group {
  readonly key: string;
  readonly name: string | null;
  readonly shown: readonly Approval[];
}

/** By agent, and at the end what the person put off. */
function groups(shown: readonly Approval[], now: number): readonly Group[] {
  const calling = shown.filter((approval) => callsNow(approval, now));
  const byAgent = new Map<string, Approval[]>();
  for (const approval of calling)
    byAgent.set(approval.agentId, [...(byAgent.get(approval.agentId) ?? []), approval]);
  const later = shown.filter((approval) => !callsNow(approval, now));
  return [
    ...[...byAgent]
      .map(([key, all]) => ({ key, name: all[0]?.agentName ?? key, shown: all }))
      .sort((a, b) => byWords(a.name, b.name)),
    ...(later.length === 0 ? [] : [{ key: ' later', name: null, shown: later }]),
  ];
}

/** Everything that waits for an answer; the first one, or the one asked for, has the focus. */
export function Waiting({ wanted }: { wanted: string | null }) {
  const asked = useAsked();
  const shown = useShown(asked);
  const now = useNow();
  const grouped = useMemo(() => groups(shown, now), [shown, now]);
  const waiting = new Set(asked.map((approval) => approval.id));
  const first = grouped
    .filter((group) => group.name !== null)
    .flatMap((group) => group.shown)
    .find((approval) => waiting.has(approval.id));
  if (shown.length === 0)
    return (
      <Empty title="Nothing waits for you">
        Before an agent does something that could do harm, it asks here. You can also answer in the terminal
        or in the chat.
      </Empty>
    );
  return (
    <div className="ask-groups">
      {grouped.map((group) => (
        <section key={group.key} aria-label={group.name ?? 'Put off'}>
          <h2 className="ask-group">{group.name === null ? 'Put off' : <Name>{group.name}</Name>}</h2>
          <AskList
            shown={group.shown}
            focus={wanted !== null && waiting.has(wanted) ? wanted : (first?.id ?? null)}
          />
        </section>
      ))}
    </div>
  );
}
