import type { ReactNode } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { AgentSummary, Problem } from '../../contract/model.ts';
import type { AgentTrouble, QueueItem } from '../../contract/operator-queue.ts';
import type { Brake } from '../../contract/work.ts';
import { localize, localizeError, localizeHint, t } from '../../language/texts.ts';
import { bridgeOf } from '../client/bridge.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { InviteCards, useInvites } from '../spaces/invite-cards.tsx';
import { act } from '../state/action.ts';
import { errorFix } from '../state/error-fix.ts';
import { go, type Route } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { useRead } from '../state/use-read.ts';
import { taskPlace } from '../work/work-address.ts';
import { PeersOfRows, PersonRow } from './person-row.tsx';

type OtherItem = Exclude<QueueItem, { readonly kind: 'approval' }>;

export const isOther = (item: QueueItem): item is OtherItem => item.kind !== 'approval';

const isPerson = (item: OtherItem): boolean =>
  item.kind === 'problem' && item.problem.about?.kind === 'person';

/** Items of the queue that are not approvals, each with its answer or a link to it. */
export function QueueRows({ items }: { items: readonly OtherItem[] }) {
  const invites = useInvites();
  const rows = items.filter(({ kind }) => kind !== 'invite');
  const people = rows.filter(isPerson).map(({ key }) => key);
  const peers = useRead('peers.list', people.length === 0 ? null : people.join(' '));
  const shown = new Set(items.flatMap((item) => (item.kind === 'invite' ? [item.invite] : [])));
  return (
    <>
      {rows.length > 0 && (
        <PeersOfRows.Provider value={peers}>
          <ul className="need-list">
            {rows.map((item) => (
              <QueueRow key={item.key} item={item} />
            ))}
          </ul>
        </PeersOfRows.Provider>
      )}
      {shown.size > 0 && <InviteCards invites={invites.filter(({ id }) => shown.has(id))} />}
    </>
  );
}

function QueueRow({ item }: { item: OtherItem }) {
  switch (item.kind) {
    case 'agent':
      return <AgentRow agent={item.agent} trouble={item.trouble} />;
    case 'brake':
      return <BrakeRow brake={item.brake} />;
    case 'problem':
      return <ProblemRow problem={item.problem} />;
    case 'invite':
      return null;
  }
}

interface RowOf {
  readonly tone: 'amber' | 'red' | 'plain';
  readonly agent: AgentSummary | null;
  readonly text: string;
  readonly hint: string;
  readonly at: number | null;
  readonly children?: ReactNode;
}

/** Layout of one item: sign, sentence, hint, and buttons. */
export function NeedRow({ tone, agent, text, hint, at, children }: RowOf) {
  return (
    <li className={`need is-${tone}`}>
      {agent === null ? <Icon name="warning" size={16} /> : <StateDot state={agent.dot} />}
      <div className="need-words">
        <p>
          {agent !== null && (
            <strong>
              <Name>{agent.displayName}</Name>{' '}
            </strong>
          )}
          {visibleLine(text)}
        </p>
        <p className="soft">
          {visibleLine(hint)}
          {at !== null && (
            <>
              {hint !== '' && ' · '}
              <Ago at={at} />
            </>
          )}
        </p>
      </div>
      {children !== undefined && <div className="need-answers">{children}</div>}
    </li>
  );
}

export function LeadButton({ words, route }: { words: string; route: Route }) {
  return (
    <button type="button" className="button is-small" onClick={() => go(route)}>
      {words}
    </button>
  );
}

/** The button that replaces a terminal command in the next step. */
function FixButton({ error }: { error: Pick<AppError, 'hint'> | null }) {
  const fix = error === null ? null : errorFix(error);
  return fix === null ? null : <LeadButton words={fix.label} route={fix.route} />;
}

function agentSentence(agent: AgentSummary, trouble: AgentTrouble): readonly [string, string] {
  const [said, advice] = [localizeError(agent.error), localizeHint(agent.error)];
  switch (trouble) {
    case 'settings':
      return [localizeError(agent.configError), localizeHint(agent.configError) || t('states.oldSettings')];
    case 'stopped':
      return [said || t('states.stopped'), advice || t('states.stoppedHint')];
    case 'waits':
      return [said || localize(agent.activity) || t('states.waits'), advice || t('states.waitsHint')];
  }
}

function AgentRow({ agent, trouble }: { agent: AgentSummary; trouble: AgentTrouble }) {
  const { link } = useReplica();
  const [text, hint] = agentSentence(agent, trouble);
  const restart = async (): Promise<void> => {
    if (await act(link, 'agents.restart', { agent: agent.id }))
      showNotice(t('home.restarted', { name: visibleLine(agent.displayName) }));
  };
  return (
    <NeedRow
      tone={trouble === 'stopped' ? 'red' : 'amber'}
      agent={agent}
      text={text}
      hint={hint}
      at={agent.since}
    >
      {trouble === 'stopped' && agent.life === 'gave_up' && (
        <button type="button" className="button is-small is-primary" onClick={() => void restart()}>
          {t('home.restart')}
        </button>
      )}
      <FixButton error={trouble === 'settings' ? agent.configError : agent.error} />
      <LeadButton words={t('states.open')} route={{ view: 'agents', agent: agent.id }} />
    </NeedRow>
  );
}

function BrakeRow({ brake }: { brake: Brake }) {
  const { link } = useReplica();
  const { agentId, roomId, rootId } = brake;
  const agent = useAgent(agentId);
  const goOn = async (): Promise<void> => {
    if (await act(link, 'brake.continue', { agent: agentId, room: roomId, rootId }))
      showNotice(t('home.wentOn'));
  };
  return (
    <NeedRow tone="amber" agent={agent} text={localize(brake.why)} hint={t('states.brakeHint')} at={brake.at}>
      <button type="button" className="button is-small is-primary" onClick={() => void goOn()}>
        {t('home.goOn')}
      </button>
      <LeadButton words={t('states.openThread')} route={{ view: 'chat', room: roomId }} />
    </NeedRow>
  );
}

const toneOf = ({ severity }: Problem): RowOf['tone'] =>
  severity === 'error' ? 'red' : severity === 'warning' ? 'amber' : 'plain';

export function ProblemRow({ problem }: { problem: Problem }) {
  const { about, at } = problem;
  const tone = toneOf(problem);
  if (about?.kind === 'person') return <PersonRow slug={about.slug} changed={about.changed} at={at} />;
  if (about?.kind === 'task') return <StepRow about={about} at={at} />;
  if (about?.kind === 'update') return <UpdateRow version={about.version} at={at} />;
  return (
    <NeedRow tone={tone} agent={null} text={localizeError(problem)} hint={localizeHint(problem)} at={at}>
      {about?.kind === 'budget' ? (
        <LeadButton words={t('home.changeBudget')} route={{ view: 'settings', section: 'budget' }} />
      ) : (
        <FixButton error={problem} />
      )}
    </NeedRow>
  );
}

type About<K> = Extract<NonNullable<Problem['about']>, { readonly kind: K }>;

function StepRow({ about: { task, step, agentId }, at }: { about: About<'task'>; at: number }) {
  const agent = useAgent(agentId ?? '');
  const text = t('tasks.needStep', { number: String(task), step });
  return (
    <NeedRow tone="amber" agent={agent} text={text} hint={t('tasks.needHint')} at={at}>
      <LeadButton words={t('states.open')} route={{ view: 'work', place: taskPlace(task) }} />
    </NeedRow>
  );
}

/** Only the desktop app can install the version. */
const inApp = bridgeOf(window) !== null;

function UpdateRow({ version, at }: { version: string; at: number }) {
  const { link } = useReplica();
  return (
    <NeedRow
      tone="amber"
      agent={null}
      text={t('home.updateReady', { version: visibleLine(version) })}
      hint={t('home.updateHint')}
      at={at}
    >
      {inApp && (
        <button
          type="button"
          className="button is-small is-primary"
          onClick={() => void act(link, 'desktop.installUpdate', {})}
        >
          {t('home.installUpdate')}
        </button>
      )}
    </NeedRow>
  );
}
