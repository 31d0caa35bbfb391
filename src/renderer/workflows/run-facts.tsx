import type { RunFork, RunSummary } from '../../contract/workflow-methods.ts';
import { sumWords } from '../../language/money.ts';
import { localize, t } from '../../language/texts.ts';
import { exactTime, untilTime } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fact } from '../parts/fact.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { durationWords } from '../work/turn-text.ts';
import { goToRun } from './addresses.ts';
import { JsonDetails } from './json-details.tsx';
import { RunSign } from './step-icon.tsx';
import { runStatusWords } from './step-text.ts';
import type { WholeRun } from './use-run.ts';
import { useNames } from './use-starter.ts';

export function RunFacts({ whole: { run, argsJson, outputJson, forkedFrom, forks } }: { whole: WholeRun }) {
  const now = useNow(1_000);
  const names = useNames();
  const cost = sumWords({ ...run, usd: run.costUsd });
  return (
    <section className="card stack" aria-label={t('workflows.aboutRun')}>
      <p aria-live="polite" className={`run-status is-${run.status}`}>
        <RunSign status={run.status} /> <strong>{runStatusWords(run.status)}</strong>{' '}
        {run.message !== '' && <bdi>{visibleLine(localize(run.message))}</bdi>}
        <Wakes run={run} now={now} />
      </p>
      <dl className="turn-facts">
        <Fact name={t('workflows.started')}>
          <Ago at={run.createdAt} />
        </Fact>
        <Fact name={t('workflows.by')}>{names(run.initiatedBy)}</Fact>
        <Fact name={t('workflows.took')}>{durationWords((run.endedAt ?? now) - run.createdAt)}</Fact>
        <Fact name={t('workflows.stepsDone')}>{run.stepsDone}</Fact>
        {cost !== '' && <Fact name={t('workflows.cost')}>{cost}</Fact>}
        <Fact name={t('workflows.runId')}>
          <Hash text={run.id} label={t('workflows.copyId')} />
        </Fact>
        {forkedFrom !== null && (
          <Fact name={t('workflows.againOf')}>
            <ForkLink fork={forkedFrom} />
          </Fact>
        )}
        {forks.length > 0 && (
          <Fact name={t('workflows.ranAgain')}>
            {forks.map((fork) => (
              <ForkLink key={fork.run} fork={fork} />
            ))}
          </Fact>
        )}
        <Fact name={t('workflows.definition')}>
          <Hash text={run.definition} label={t('workflows.copyDefinition')} />
        </Fact>
      </dl>
      <div className="run-values">
        <JsonDetails title={t('workflows.args')} json={argsJson} />
        {outputJson !== '' && <JsonDetails title={t('workflows.output')} json={outputJson} open />}
      </div>
    </section>
  );
}

/** Shown only if the run waits for nothing but a time. */
function Wakes({ run, now }: { run: RunSummary; now: number }) {
  if (run.wakeAt === null || run.wakeAt <= now || run.running.length > 0 || run.gates.length > 0) return null;
  return (
    <span className="soft" title={exactTime(run.wakeAt)}>
      {' '}
      {t('workflows.wakes', { when: untilTime(run.wakeAt, now) })}
    </span>
  );
}

/** Link to the other run, with the step of the fork. */
const ForkLink = ({ fork: { run, from } }: { fork: RunFork }) => (
  <button type="button" className="link" onClick={() => goToRun(run)}>
    {from === null
      ? t('workflows.forkWhole', { run: run.slice(0, 8) })
      : t('workflows.forkFrom', { run: run.slice(0, 8), step: visibleLine(from) })}
  </button>
);

/** Shows the first characters and copies the whole hash. */
function Hash({ text, label }: { text: string; label: string }) {
  return (
    <span className="hash">
      <code title={text}>{visibleLine(text.slice(0, 12))}</code>
      <CopyButton label={label} text={text} />
    </span>
  );
}
