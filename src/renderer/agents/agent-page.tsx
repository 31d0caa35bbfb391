import { useMemo, useState } from 'react';
import type { PolicyMode } from '../../contract/approvals.ts';
import type { AgentSummary } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { agentWords } from '../format/states.ts';
import { exactTime, untilTime } from '../format/time.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { lacksModel } from '../models/lacks-model.ts';
import { Empty } from '../parts/empty.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { For, useNow } from '../parts/time.tsx';
import { useAsked, useShown } from '../state/approvals.ts';
import { go } from '../state/route.ts';
import { useAgent, useAgents } from '../state/subscriptions.ts';
import { AgentActivityTab } from './activity-tab.tsx';
import { AgentActions } from './agent-actions.tsx';
import { AgentAvatar } from './agent-avatar.tsx';
import { useDetail } from './agent-detail.ts';
import { ExtensionsTab } from './extensions-tab.tsx';
import { IdentityTab } from './identity/identity-tab.tsx';
import { MemoryFilesTab } from './memory-files-tab.tsx';
import { ModelTab } from './model-tab.tsx';
import { Overview } from './overview.tsx';
import { ArrivalCard } from './tools/habit-cards.tsx';
import { ToolsTab } from './tools/tools-tab.tsx';
import { TriggersTab } from './triggers-tab.tsx';

const tabs = [
  'overview',
  'personality',
  'model',
  'permissions',
  'extensions',
  'memoryFiles',
  'activity',
] as const;
type Tab = (typeof tabs)[number];

export function AgentPage({ id }: { id: string }) {
  const agent = useAgent(id);
  const loaded = useAgents((agents) => agents !== null);
  const [tab, setTab] = useState<Tab>(lacksModel(agent) ? 'model' : 'overview');
  const detail = useDetail(id, agent);
  if (agent === null)
    return loaded ? (
      <Empty page state="offline" title={t('agents.goneTitle')}>
        {t('agents.goneText')}
      </Empty>
    ) : null;
  return (
    <div className="page agent-page">
      <AgentHead agent={agent} mode={detail.detail?.mode ?? null} onMode={() => setTab('permissions')} />
      <Troubles agent={agent} />
      <ErrorNote error={detail.error} />
      <Tabs
        label={t('agents.about')}
        value={tab}
        tabs={tabs.map((key) => [key, t(`agents.${key}`)] as const)}
        onChange={(next: Tab) => setTab(next)}
      >
        {tab === 'overview' && <AskedBy id={agent.id} />}
        {tab === 'overview' && (
          <Overview agent={agent} detail={detail} onIdentity={() => setTab('personality')} />
        )}
        {tab === 'personality' && (
          <div className="stack">
            <IdentityTab agent={agent} detail={detail} />
            {/* Below the identity, which moves them when it arrives. */}
            {detail.detail !== null && (
              <>
                <TriggersTab agent={agent} detail={detail} />
                <ArrivalCard agent={agent.id} />
              </>
            )}
          </div>
        )}
        {tab === 'model' && <ModelTab agent={agent} detail={detail} />}
        {tab === 'permissions' && <ToolsTab agent={agent} onChanged={detail.reload} />}
        {tab === 'extensions' && <ExtensionsTab agent={agent.id} />}
        {tab === 'memoryFiles' && <MemoryFilesTab agent={agent} />}
        {tab === 'activity' && <AgentActivityTab agent={agent} />}
      </Tabs>
    </div>
  );
}

/** Approvals of this agent, from every chat, task or run. */
function AskedBy({ id }: { id: string }) {
  const asked = useAsked();
  const shown = useShown(useMemo(() => asked.filter((approval) => approval.agentId === id), [asked, id]));
  return <AskList shown={shown} compact />;
}

interface HeadOf {
  readonly agent: AgentSummary;
  /** `null` while it loads. */
  readonly mode: PolicyMode | null;
  onMode(): void;
}

const modeNames = {
  ask: 'agents.modeAsk',
  trusted_folders: 'agents.modeTrusted',
  unattended: 'agents.modeUnattended',
} as const;

function AgentHead({ agent, mode, onMode }: HeadOf) {
  return (
    <header className="page-head">
      <button
        type="button"
        className="icon-button back"
        aria-label={t('agents.back')}
        onClick={() => go({ view: 'agents', agent: null })}
      >
        <Icon name="back" />
      </button>
      <AgentAvatar agent={agent} />
      <div className="agent-title">
        <h1>
          <Name>{agent.displayName}</Name>
          {agent.scripted && (
            <span className="chip is-scripted" title={t('agents.scriptedHint')}>
              {t('agents.scripted')}
            </span>
          )}
        </h1>
        <p className="agent-now">
          <StateDot state={agent.dot} />
          <span>{agentWords(agent)}</span>
          <span className="soft">
            {t.rich('agents.forTime', { time: () => <For key="since" since={agent.since} /> })}
          </span>
          {agent.restartAt !== null && <NextTry at={agent.restartAt} />}
          {mode !== null && (
            <button type="button" className="chip is-button" title={t('agents.modeHint')} onClick={onMode}>
              {t(modeNames[mode])}
            </button>
          )}
        </p>
      </div>
      <AgentActions agent={agent} />
    </header>
  );
}

function NextTry({ at }: { at: number }) {
  const now = useNow();
  return <span title={exactTime(at)}>{t('agents.triesAgain', { when: untilTime(at, now) })}</span>;
}

function Troubles({ agent }: { agent: AgentSummary }) {
  return (
    <>
      <ErrorNote error={agent.error} />
      <ErrorNote error={agent.configError}>
        <p className="note-hint">{t('agents.lastGood')}</p>
      </ErrorNote>
    </>
  );
}
