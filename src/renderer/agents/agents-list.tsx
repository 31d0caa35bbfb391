import { memo, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AgentSummary } from '../../contract/model.ts';
import type { Spend } from '../../contract/work.ts';
import { spendShort, spendWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { RoleChip } from '../parts/role-chip.tsx';
import { useRoving } from '../parts/roving.ts';
import { For } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { askNewAgent } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { byWords } from '../words/order.ts';
import { agentWords } from '../words/states.ts';
import { visibleLine } from '../words/visible-text.ts';
import { ImportDialog } from './moving/import-dialog.tsx';
import { askImport, useImporting } from './moving/import-state.ts';
import { QuickActions } from './quick-actions.tsx';

const matches = (agent: AgentSummary, wanted: string): boolean =>
  [agent.id, agent.slug ?? '', agent.displayName, agent.role].some((text) =>
    text.toLowerCase().includes(wanted),
  );

/**
 * Returns ids in display order. The selector is shallow: only names, membership or the search cause a render.
 */
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
  const importing = useImporting((state) => state.importing);
  const place = useRef<HTMLElement>(null);
  const onKey = useRoving(place);
  const first = selected !== null && found.includes(selected) ? selected : (found[0] ?? null);
  const rows = useMemo(
    () =>
      found.map((id) => <AgentRow key={id} id={id} selected={id === selected} reachable={id === first} />),
    [found, selected, first],
  );
  return (
    <section className="list" aria-label={t('agents.title')} ref={place} onKeyDown={onKey}>
      <header className="list-head">
        <h2>{t('agents.title')}</h2>
        <HeadButton icon="download" label={t('agents.import')} onPress={() => askImport(true)} />
        <HeadButton icon="plus" label={t('agents.newAgent')} onPress={() => askNewAgent(true)} />
      </header>
      <div className="search">
        <Icon name="search" size={16} />
        <input
          type="search"
          placeholder={t('agents.search')}
          aria-label={t('agents.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {found.length === 0 && (
        <p className="list-empty">{search === '' ? t('agents.none') : t('agents.noMatch', { search })}</p>
      )}
      <ul className="list-rows">{rows}</ul>
      {importing && <ImportDialog onClose={() => askImport(false)} />}
    </section>
  );
}

interface HeadButtonOf {
  readonly icon: 'download' | 'plus';
  readonly label: string;
  onPress(): void;
}

function HeadButton({ icon, label, onPress }: HeadButtonOf) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
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
  const now = agentWords(agent);
  return (
    <li className="agent-item">
      <button
        type="button"
        data-item
        className="list-row agent-row"
        tabIndex={reachable ? 0 : -1}
        aria-current={selected ? 'true' : undefined}
        title={t('agents.rowTitle', { name: visibleLine(agent.displayName), now })}
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
            <span className="row-now">{now}</span>
            <Cost spent={agent.spentToday} />
            <For since={agent.since} />
          </span>
        </span>
      </button>
      <QuickActions agent={agent} />
    </li>
  );
});

function WaitingBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="badge is-amber">
      {count}
      <span className="visually-hidden"> {t('agents.waiting')}</span>
    </span>
  );
}

/** Today's cost of the agent; renders nothing if nothing was spent. */
function Cost({ spent }: { spent: Spend }) {
  if (spent.tokens === 0 && (spent.usd ?? 0) === 0) return null;
  return (
    <span className="row-cost" title={t('agents.spentToday', { spent: spendWords(spent) })}>
      {spendShort(spent)}
    </span>
  );
}
