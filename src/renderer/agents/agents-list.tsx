import { memo, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AgentSummary } from '../../contract/model.ts';
import type { Spend } from '../../contract/work.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { RoleChip } from '../parts/role-chip.tsx';
import { useRoving } from '../parts/roving.ts';
import { For } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { askNewAgent } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { spendShort, spendWords } from '../words/money.ts';
import { byWords } from '../words/order.ts';
import { agentWords } from '../words/states.ts';
import { shortName } from '../words/visible-text.ts';

const matches = (agent: AgentSummary, wanted: string): boolean =>
  [agent.id, agent.slug ?? '', agent.displayName, agent.role].some((text) =>
    text.toLowerCase().includes(wanted),
  );

/** Ids in reading order; it changes only when names, members or the search do. */
function useFound(search: string): readonly string[] {
  const { agents } = useReplica();
  const wanted = search.trim().toLowerCase();
  return useStore(
    agents.store,
    useShallow((value) =>
      Object.values(value.state ?? {})
        .filter((agent) => matches(agent, wanted))
        .sort((a, b) => byWords(a.displayName, b.displayName))
        .map((agent) => agent.id),
    ),
  );
}

export function AgentsList({ selected }: { selected: string | null }) {
  const [search, setSearch] = useState('');
  const found = useFound(search);
  const place = useRef<HTMLElement>(null);
  const onKey = useRoving(place);
  const first = selected !== null && found.includes(selected) ? selected : (found[0] ?? null);
  const rows = useMemo(
    () =>
      found.map((id) => <AgentRow key={id} id={id} selected={id === selected} reachable={id === first} />),
    [found, selected, first],
  );
  return (
    <section className="list" aria-label="Agents" ref={place} onKeyDown={onKey}>
      <header className="list-head">
        <h2>Agents</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="New agent"
          title="New agent"
          onClick={() => askNewAgent(true)}
        >
          <Icon name="plus" />
        </button>
      </header>
      <div className="search">
        <Icon name="search" size={16} />
        <input
          type="search"
          placeholder="Search agents"
          aria-label="Search agents"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {found.length === 0 && (
        <p className="list-empty">{search === '' ? 'No agents yet.' : `No agent matches “${search}”.`}</p>
      )}
      <ul className="list-rows">{rows}</ul>
    </section>
  );
}

interface RowOf {
  readonly id: string;
  readonly selected: boolean;
  readonly reachable: boolean;
}

const AgentRow = memo(function AgentRow({ id, selected, reachable }: RowOf) {
  const agent = useAgent(id);
  if (agent === null) return null;
  return (
    <li>
      <button
        type="button"
        data-item
        data-initials={shortName(agent.displayName)}
        className="list-row agent-row"
        tabIndex={reachable ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        title={`${agent.displayName}: ${agentWords(agent)}`}
        onClick={() => go({ view: 'agents', agent: id })}
      >
        <StateDot state={agent.dot} size={16} />
        <span className="agent-row-words">
          <span className="agent-row-top">
            <span className="row-name">
              <Name>{agent.displayName}</Name>
            </span>
            <RoleChip agent={agent} />
            <WaitingBadge count={agent.waiting} />
          </span>
          <span className="agent-row-now">
            <span className="row-now">{agentWords(agent)}</span>
            <Cost spent={agent.spentToday} />
            <For since={agent.since} />
          </span>
        </span>
      </button>
    </li>
  );
});

function WaitingBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="badge is-amber">
      {count}
      <span className="visually-hidden"> waiting for you</span>
    </span>
  );
}

/** What it cost today; nothing where nothing was spent. */
function Cost({ spent }: { spent: Spend }) {
  if (spent.tokens === 0 && (spent.usd ?? 0) === 0) return null;
  return (
    <span className="row-cost" title={`Today: ${spendWords(spent)}`}>
      {spendShort(spent)}
    </span>
  );
}
