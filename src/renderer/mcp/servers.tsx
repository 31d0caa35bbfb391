import { type ReactNode, useState } from 'react';
import type { McpServerView } from '../../contract/mcp-server-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { shortLine } from '../format/short-text.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { useLook } from '../state/use-look.ts';
import { AddServer, ImportServers } from './add-server.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { isAllowed, serverDot, serverRef, serverState, toolCount } from './server-words.ts';
import { SignIn } from './sign-in.tsx';

const lookMs = 4_000;

/** MCP servers of an agent with those of all agents, or of everyone with `null`. */
export function McpServerList({ agent }: { agent: string | null }) {
  const { value, error, reload } = useLook('mcpServers.list', agent === null ? {} : { agent }, lookMs);
  const [open, setOpen] = useState<'add' | 'import' | null>(null);
  const [shown, setShown] = useState<McpServerView | null>(null);
  const name = visibleLine(useAgent(agent ?? '')?.displayName ?? agent ?? '');
  const close = (): void => {
    setOpen(null);
    void reload();
  };
  const servers = value?.servers ?? [];
  const own = servers.filter((one) => one.agent !== null);
  const shared = servers.filter((one) => one.agent === null);
  const actions = (
    <>
      <button type="button" className="button is-primary" onClick={() => setOpen('add')}>
        <Icon name="plus" size={14} /> {t('mcp.add')}
      </button>
      <button type="button" className="button" onClick={() => setOpen('import')}>
        {t('mcp.importFrom')}
      </button>
    </>
  );
  const row = (server: McpServerView) => (
    <ServerRow
      key={`${server.agent ?? ''}/${server.name}`}
      server={server}
      isNamed={agent === null}
      open={() => setShown(server)}
      onChanged={reload}
    />
  );
  return (
    <section className="servers stack" aria-label={t('settings.mcp')}>
      <ErrorNote error={error} />
      {value === null && error === null && <Skeleton words={t('mcp.reading')} shape="rows" count={3} card />}
      {value !== null && servers.length === 0 && (
        <div className="card">
          <Empty title={t('mcp.noneTitle')}>
            <p>{t('mcp.none')}</p>
            <div className="actions is-centred">{actions}</div>
          </Empty>
        </div>
      )}
      {servers.length > 0 && (
        <>
          <p className="soft">{agent === null ? t('mcp.lead') : t('mcp.leadAgent', { name })}</p>
          <div className="button-row">{actions}</div>
        </>
      )}
      {(value?.invalid ?? []).map((one) => (
        <Note key={`${one.agent ?? ''}/${one.name}`} tone="warning">
          <p>
            <strong>{t('mcp.invalidTitle')}</strong>
          </p>
          <p>{t('mcp.invalid', { name: shortLine(one.name), mistake: shortLine(one.mistake, 400) })}</p>
        </Note>
      ))}
      {agent !== null && own.length > 0 && (
        <ServerGroup title={t('mcp.ofOne', { name })}>{own.map(row)}</ServerGroup>
      )}
      {shared.length > 0 && <ServerGroup title={t('mcp.ofAll')}>{shared.map(row)}</ServerGroup>}
      {agent === null && own.length > 0 && <ServerGroup title={t('mcp.ofSome')}>{own.map(row)}</ServerGroup>}
      {open === 'add' && <AddServer agent={agent} onClose={close} />}
      {open === 'import' && <ImportServers agent={agent} onClose={close} />}
      {shown !== null && (
        <ServerDialog
          server={shown}
          onClose={() => {
            setShown(null);
            void reload();
          }}
        />
      )}
    </section>
  );
}

function ServerGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2>{title}</h2>
      <ul className="process-list" aria-label={title}>
        {children}
      </ul>
    </>
  );
}

interface RowOf {
  readonly server: McpServerView;
  /** Shows the agent of its own server. */
  readonly isNamed: boolean;
  open(): void;
  onChanged(): Promise<void>;
}

function ServerRow({ server, isNamed, open, onChanged }: RowOf) {
  const { name, agent, state, isLocal, source, launch, reason, changed } = server;
  const owner = useAgent(agent ?? '');
  return (
    <li className="card process server">
      <header>
        <StateDot state={serverDot(server)} size={12} label="" />
        <strong>
          <button type="button" className="link" aria-label={t('mcp.detailsOf', { name })} onClick={open}>
            <bdi>{name}</bdi>
          </button>
        </strong>
        {isNamed && agent !== null && (
          <span className="chip">
            <bdi>{visibleLine(owner?.displayName ?? agent)}</bdi>
          </span>
        )}
        <span className={state === 'unaccepted' ? 'server-waits' : 'soft'}>{serverState(server)}</span>
        <ServerActions server={server} open={open} onChanged={onChanged} />
      </header>
      <p className="server-launch">
        <ExactText text={shortLine(launch.split('\n')[0] ?? '', 300)} />
      </p>
      <p className="fine">
        {[
          isLocal ? t('mcp.local') : t('mcp.remote'),
          ...(isAllowed(server) ? [toolCount(server)] : []),
          t(`mcp.source_${source}`),
        ].join(' · ')}
      </p>
      {(state === 'failed' || state === 'waiting') && reason !== '' && (
        <p className="server-reason">{shortLine(localize(reason), 400)}</p>
      )}
      {changed > 0 && isAllowed(server) && (
        <p className="server-waits">{t('mcp.changedTools', { count: changed })}</p>
      )}
      <SignIn server={server} />
    </li>
  );
}

function ServerActions({ server, open, onChanged }: Omit<RowOf, 'isNamed'>) {
  const { link } = useReplica();
  const { name, state, source, changed } = server;
  const [removes, setRemoves] = useState(false);
  const ref = serverRef(server);
  const change = async (
    method: 'mcpServers.start' | 'mcpServers.stop' | 'mcpServers.refuse' | 'mcpServers.remove',
    notice: string,
  ): Promise<void> => {
    setRemoves(false);
    if (await act(link, method, ref)) showNotice(notice);
    await onChanged();
  };
  const start = (): void => void change('mcpServers.start', t('mcp.started', { name }));
  const hasFailed = state === 'failed' || state === 'waiting';
  return (
    <span className="process-actions button-row">
      {state === 'unaccepted' || (changed > 0 && state !== 'refused') ? (
        <button
          type="button"
          className="button is-small is-primary"
          aria-label={t('mcp.reviewOf', { name })}
          onClick={open}
        >
          {t('mcp.review')}
        </button>
      ) : (
        (hasFailed || state === 'stopped') && (
          <button
            type="button"
            className="button is-small"
            aria-label={t(hasFailed ? 'mcp.tryAgainOf' : 'mcp.startOf', { name })}
            onClick={start}
          >
            {t(hasFailed ? 'mcp.tryAgain' : 'mcp.start')}
          </button>
        )
      )}
      <Menu label={t('mcp.actionsOf', { name })}>
        <MenuItem onPick={open}>{t('mcp.details')}</MenuItem>
        {(state === 'running' || state === 'starting') && (
          <MenuItem onPick={() => void change('mcpServers.stop', t('mcp.stopped', { name }))}>
            {t('mcp.stop')}
          </MenuItem>
        )}
        {state !== 'refused' && (
          <MenuItem onPick={() => void change('mcpServers.refuse', t('mcp.refused', { name }))}>
            {t(state === 'unaccepted' ? 'mcp.refuse' : 'mcp.withdraw')}
          </MenuItem>
        )}
        {source === 'agent' ? (
          <MenuItem onPick={() => showNotice(t('mcp.ownFile'))}>{t('mcp.remove')}</MenuItem>
        ) : (
          <MenuItem danger onPick={() => setRemoves(true)}>
            {t('mcp.remove')}
          </MenuItem>
        )}
      </Menu>
      {removes && (
        <Confirm
          title={t('mcp.removeTitle', { name })}
          verb={t('mcp.removeVerb')}
          danger
          onConfirm={() => void change('mcpServers.remove', t('mcp.removed', { name }))}
          onClose={() => setRemoves(false)}
        >
          <p>{t('mcp.removeText')}</p>
        </Confirm>
      )}
    </span>
  );
}
