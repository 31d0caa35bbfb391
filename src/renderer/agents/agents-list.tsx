import { memo, useMemo, useState } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import type { Spend } from '../../contract/work.ts';
import { spendShort, spendWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { agentWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ArrangeMenu } from '../lists/arrange-menu.tsx';
import { BulkBar } from '../lists/bulk-bar.tsx';
import { GroupHead } from '../lists/group-head.tsx';
import { ListRows } from '../lists/list-rows.tsx';
import { ListTitle } from '../lists/list-title.tsx';
import { useListKeys } from '../lists/use-list-keys.ts';
import { type Selection, useSelection } from '../lists/use-selection.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Name } from '../parts/name.tsx';
import { RoleChip } from '../parts/role-chip.tsx';
import { For } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { askNewAgent } from '../state/screen.ts';
import { useAgent, useAgents, useReplica } from '../state/subscriptions.ts';
import { agentActions } from './agent-bulk.ts';
import { type AgentItem, useArrangedAgents } from './arranged-agents.ts';
import { ImportDialog } from './moving/import-dialog.tsx';
import { askImport, useImporting } from './moving/import-state.ts';
import { QuickActions } from './quick-actions.tsx';

const noAgents: Readonly<Record<string, AgentSummary>> = {};

/** `isAlone`: a narrow window shows the list in place of the page. */
export function AgentsList({ selected, isAlone }: { selected: string | null; isAlone: boolean }) {
  const [search, setSearch] = useState('');
  const items = useArrangedAgents(search);
  const ids = useMemo(() => items.flatMap(({ kind, key }) => (kind === 'row' ? [key] : [])), [items]);
  const importing = useImporting((state) => state.importing);
  const selection = useSelection('agents', ids);
  const keys = useListKeys({ keys: ids, current: selected, selection });
  return (
    <section
      className="list"
      role={isAlone ? 'main' : undefined}
      aria-label={t('agents.title')}
      ref={keys.place}
      onFocus={keys.onFocus}
      onKeyDown={keys.onKeyDown}
    >
      <header className="list-head">
        <ListTitle isAlone={isAlone}>{t('agents.title')}</ListTitle>
        <span className="spacer" />
        <ArrangeMenu list="agents" />
        <IconButton icon="download" label={t('agents.import')} size={20} onPress={() => askImport(true)} />
        <IconButton icon="plus" label={t('agents.newAgent')} size={20} onPress={() => askNewAgent(true)} />
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
      <AgentsBulk selection={selection} focusList={keys.focus} />
      {ids.length === 0 && (
        <p className="list-empty">{search === '' ? t('agents.none') : t('agents.noMatch', { search })}</p>
      )}
      <AgentRows items={items} selected={selected} active={keys.active} selection={selection} />
      {importing && <ImportDialog onClose={() => askImport(false)} />}
    </section>
  );
}

interface AgentRowsOf {
  readonly items: readonly AgentItem[];
  readonly selected: string | null;
  readonly active: string | null;
  readonly selection: Selection;
}

function AgentRows({ items, selected, active, selection }: AgentRowsOf) {
  const { agents } = useReplica();
  const nameOf = ({ kind, key }: AgentItem): string | null =>
    kind === 'head' ? null : visibleLine(agents.store.getState().state?.[key]?.displayName ?? key);
  return (
    <ListRows
      items={items}
      active={active}
      selection={selection}
      nameOf={nameOf}
      render={({ kind, key, title, count }) =>
        kind === 'head' ? (
          <GroupHead title={title} count={count} level={3} />
        ) : (
          <AgentRow id={key} selected={key === selected} reachable={key === active} />
        )
      }
    />
  );
}

/** Reads the agents only while some are selected, so that their changes do not render the list. */
function AgentsBulk({ selection, focusList }: { selection: Selection; focusList(): void }) {
  const { link } = useReplica();
  const isIdle = selection.chosen.length === 0;
  const agents = useAgents((all) => (isIdle ? noAgents : (all ?? noAgents)));
  return (
    <BulkBar
      list="agents"
      items={Object.values(agents)}
      selection={selection}
      actions={agentActions(link)}
      keyOf={({ id }) => id}
      nameOf={({ displayName }) => visibleLine(displayName)}
      focusList={focusList}
    />
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
    <div className="agent-item">
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
    </div>
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
