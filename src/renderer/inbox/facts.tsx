import type { ReactNode } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { effectTarget } from '../../contract/effect-target.ts';
import { localize, t } from '../../language/texts.ts';
import { sandboxWords } from '../format/consent.ts';
import { readableJson } from '../format/readable-json.ts';
import { clockTime, exactTime, untilTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { Name } from '../parts/name.tsx';
import { useNow } from '../parts/time.tsx';
import { TaskOfQuestion, useTaskOf } from '../tasks/task-of-question.tsx';
import { useNames } from '../workflows/use-starter.ts';
import { gateFacts } from './gate-facts.tsx';

/** Remaining time in ms below which the deadline is highlighted. */
const soonMs = 600_000;

export function AskFacts({ approval }: { approval: Approval }) {
  const { sandbox, gate } = approval;
  const nameOf = useNames();
  const task = useTaskOf(approval);
  return (
    <dl className="ask-facts">
      {gate !== undefined &&
        gateFacts(gate, nameOf).map(([name, words]) => (
          <Fact key={name} name={name}>
            <bdi>{words}</bdi>
          </Fact>
        ))}
      {task !== null && (
        <Fact name={t('consent.task')}>
          <TaskOfQuestion task={task} />
        </Fact>
      )}
      <Fact name={t('consent.why')}>
        <bdi>{visibleLine(localize(approval.why))}</bdi>
      </Fact>
      {approval.kind === 'tool' && (
        <Fact name={t('consent.tool')}>
          <code>
            <ExactText text={approval.subject} />
          </code>
        </Fact>
      )}
      {approval.where !== '' && (
        <Fact name={t('consent.where')}>
          <code>
            <ExactText text={localize(approval.where)} />
          </code>
        </Fact>
      )}
      {approval.effects !== undefined && approval.effects.length > 0 && (
        <Fact name={t('consent.effects')}>
          <Effects effects={approval.effects} />
        </Fact>
      )}
      {sandbox !== null && (
        <Fact name={t('consent.sandbox')}>
          <span className={sandbox === 'none' ? 'is-warning' : undefined}>{sandboxWords(sandbox)}</span>
        </Fact>
      )}
      {approval.state === 'waiting' && (
        <Fact name={t('consent.ifYouWait')}>
          {gate === undefined ? <Waiting approval={approval} /> : <RunWaits approval={approval} />}
        </Fact>
      )}
    </dl>
  );
}

type Effect = NonNullable<Approval['effects']>[number];

/** Resolved paths, and programs with all their arguments. */
const Effects = ({ effects }: { effects: readonly Effect[] }) => (
  <ul className="ask-effects">
    {effects.map((effect) => (
      <li key={JSON.stringify(effect)}>
        {t(`consent.effect_${effect.kind}`)}{' '}
        <code>
          <ExactText text={effectTarget(effect)} />
        </code>
      </li>
    ))}
  </ul>
);

function Waiting({ approval: { kind, agentName, expiresAt, quietUntil } }: { approval: Approval }) {
  const now = useNow();
  const quiet = quietUntil !== null && quietUntil > now;
  return (
    <>
      {t.rich(kind === 'contact' ? 'consent.personWaits' : 'consent.waitsToo', {
        who: () => <Name>{agentName}</Name>,
        when: () => (
          <time
            dateTime={new Date(expiresAt).toISOString()}
            title={exactTime(expiresAt)}
            className={expiresAt - now < soonMs ? 'is-warning' : undefined}
          >
            {untilTime(expiresAt, now)}
          </time>
        ),
      })}
      {quiet && ` ${t('consent.putOffUntil', { time: clockTime(quietUntil) })}`}
    </>
  );
}

/** A deadline further away than this counts as none, in ms. */
const endlessMs = 5 * 365 * 86_400_000;

/** The workflow file defines what happens after the deadline. */
function RunWaits({ approval: { expiresAt, quietUntil } }: { approval: Approval }) {
  const now = useNow();
  if (expiresAt - now > endlessMs) return t('gates.runWaitsOn');
  return (
    <>
      {t.rich('gates.runWaits', {
        when: () => (
          <time dateTime={new Date(expiresAt).toISOString()} title={exactTime(expiresAt)}>
            {untilTime(expiresAt, now)}
          </time>
        ),
      })}
      {quietUntil !== null &&
        quietUntil > now &&
        ` ${t('consent.putOffUntil', { time: clockTime(quietUntil) })}`}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The arguments exactly as the tool gets them. */
export function AllArguments({ json }: { json: string }) {
  return (
    <details className="ask-args">
      <summary>{t('consent.allArguments')}</summary>
      <p className="ask-json">
        <ExactText text={readableJson(json)} />
      </p>
    </details>
  );
}
