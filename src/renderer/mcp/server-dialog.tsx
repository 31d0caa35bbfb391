import { useState } from 'react';
import type { McpServerDetail, McpServerView } from '../../contract/mcp-server-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { shortLine } from '../format/short-text.ts';
import { visibleLine } from '../format/visible-text.ts';
import { DiffLines } from '../inbox/preview.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { Fact } from '../parts/fact.tsx';
import { LabelledText } from '../parts/labelled-text.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useAgents } from '../state/subscriptions.ts';
import { useLook } from '../state/use-look.ts';
import { AllowServer } from './allow-server.tsx';
import { isAllowed, serverRef, serverState } from './server-words.ts';
import { SignIn } from './sign-in.tsx';
import { ServerTools } from './tools-part.tsx';

const lookMs = 3_000;

/** Everything about one server: its permission, changed definitions, tools, calls and log. */
export function ServerDialog({ server, onClose }: { server: McpServerView; onClose(): void }) {
  const { value, error, reload } = useLook('mcpServers.show', serverRef(server), lookMs);
  return (
    <Dialog title={server.name} wide onClose={onClose}>
      <div className="stack">
        <ErrorNote error={error} />
        {value === null && error === null && <Skeleton words={t('mcp.reading')} shape="text" count={6} />}
        {value !== null &&
          (isAllowed(value) ? (
            <Detail server={value} reload={reload} />
          ) : (
            <AllowServer server={value} onChanged={() => void reload()} onClose={onClose} />
          ))}
      </div>
    </Dialog>
  );
}

const parts = ['tools', 'calls', 'log'] as const;
type Part = (typeof parts)[number];

interface DetailOf {
  readonly server: McpServerDetail;
  reload(): Promise<void>;
}

function Detail({ server, reload }: DetailOf) {
  const [part, setPart] = useState<Part>('tools');
  const start = useAction('mcpServers.start');
  const { state, reason, launch, isLocal } = server;
  const hasFailed = state === 'failed' || state === 'waiting';
  const run = async (): Promise<void> => {
    await start.run(serverRef(server));
    await reload();
  };
  return (
    <>
      <Facts server={server} />
      <SignIn server={server} />
      {(hasFailed || state === 'stopped') && (
        <Note tone={hasFailed ? 'warning' : 'plain'}>
          <p>{hasFailed && reason !== '' ? shortLine(localize(reason), 600) : serverState(server)}</p>
          <button type="button" className="button is-small" disabled={start.busy} onClick={() => void run()}>
            {t(hasFailed ? 'mcp.tryAgain' : 'mcp.start')}
          </button>
        </Note>
      )}
      <ErrorNote error={start.error} />
      <ChangedTools server={server} reload={reload} />
      <LabelledText label={isLocal ? t('mcp.runs') : t('mcp.reaches')} text={launch} />
      <Tabs
        label={t('mcp.parts')}
        value={part}
        tabs={parts.map((key) => [key, t(`mcp.${key}Tab`)] as const)}
        onChange={(next: Part) => setPart(next)}
      >
        {part === 'tools' && <ServerTools server={server} />}
        {part === 'calls' && <CallsPart server={server} />}
        {part === 'log' && <LogPart server={server} />}
      </Tabs>
    </>
  );
}

function Facts({ server }: { server: McpServerDetail }) {
  const { agent, source, protocol } = server;
  const agents = useAgents((all) => all);
  return (
    <dl className="process-facts" aria-label={t('mcp.about')}>
      <Fact name={t('mcp.stateFact')}>{serverState(server)}</Fact>
      <Fact name={t('mcp.usedBy')}>
        {agent === null ? (
          t('mcp.allAgents')
        ) : (
          <bdi>{visibleLine(agents?.[agent]?.displayName ?? agent)}</bdi>
        )}
      </Fact>
      <Fact name={t('mcp.fromFact')}>{t(`mcp.source_${source}`)}</Fact>
      {protocol !== null && <Fact name={t('mcp.protocolFact')}>{shortLine(protocol, 40)}</Fact>}
    </dl>
  );
}

/** Definitions that wait, as a diff; nothing without one. */
function ChangedTools({ server, reload }: DetailOf) {
  const accept = useAction('mcpServers.acceptTools');
  const { name, changes } = server;
  if (changes === null) return null;
  const run = async (): Promise<void> => {
    const done = await accept.run({ ...serverRef(server), digest: changes.digest });
    if (done.ok) showNotice(t('mcp.changeAccepted'));
    await reload();
  };
  return (
    <div className="note is-warning server-change">
      <div className="stack">
        <div>
          <h3>{t('mcp.changedTools', { count: changes.names.length })}</h3>
          <p className="note-hint">{t('mcp.changedMeans')}</p>
        </div>
        <ScrollRegion className="ask-preview is-diff" label={t('mcp.theChange', { name })}>
          <DiffLines body={changes.diff} />
        </ScrollRegion>
        <ErrorNote error={accept.error} />
        <p className="button-row">
          <button type="button" className="button" disabled={accept.busy} onClick={() => void run()}>
            {t('mcp.acceptChange')}
          </button>
        </p>
      </div>
    </div>
  );
}

function CallsPart({ server: { calls } }: { server: McpServerDetail }) {
  const agents = useAgents((all) => all);
  if (calls.length === 0) return <p className="card-empty">{t('mcp.noCalls')}</p>;
  return (
    <ScrollRegion className="table-scroll" label={t('mcp.callsLabel')}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('mcp.tool')}</th>
            <th scope="col">{t('mcp.caller')}</th>
            <th scope="col">{t('mcp.when')}</th>
            <th scope="col">{t('mcp.took')}</th>
            <th scope="col">{t('mcp.outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {calls.map(({ tool, agent, at, ms, outcome }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: calls have no id, and two may start at once
            <tr key={`${at} ${index}`}>
              <td>
                <code>{shortLine(tool, 80)}</code>
              </td>
              <td>
                {agent === null ? (
                  t('mcp.you')
                ) : (
                  <bdi>{visibleLine(agents?.[agent]?.displayName ?? agent)}</bdi>
                )}
              </td>
              <td>
                <Ago at={at} />
              </td>
              <td className="is-number">{t('mcp.milliseconds', { n: Math.round(ms) })}</td>
              <td className={outcome === 'ok' ? undefined : 'is-bad'}>{t(`mcp.outcome_${outcome}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function LogPart({ server: { log } }: { server: McpServerDetail }) {
  if (log.length === 0) return <p className="card-empty">{t('mcp.noLog')}</p>;
  return (
    <ScrollRegion className="fall-text" label={t('mcp.logLabel')}>
      <pre>
        <ExactText text={log.join('\n')} />
      </pre>
    </ScrollRegion>
  );
}
