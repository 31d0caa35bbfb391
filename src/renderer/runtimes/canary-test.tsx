import {
  type CanaryCheck,
  canaryChecks,
  failedChecks,
  type HarnessView,
  hasCanary,
} from '../../contract/harnesses.ts';
import { t } from '../../language/texts.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';

interface TestOf {
  readonly view: HarnessView;
  /** The verdict stands beside it already. */
  readonly isShort?: boolean;
  onTested(): void;
}

/** Whether the program asks before it acts, as this version proved it, with the button that proves it. */
export function CanaryTest({ view, isShort = false, onTested }: TestOf) {
  const { id, canary } = view;
  const test = useAction('harnesses.test');
  const run = async (): Promise<void> => {
    const result = await test.run({ id });
    if (result.ok) onTested();
  };
  return (
    <div className="canary">
      {!isShort && <p>{verdictText(view)}</p>}
      {canary !== null && <Checks canary={canary} />}
      {hasCanary(view) && view.version !== null && (
        <p className="canary-run">
          <button type="button" className="button is-small" disabled={test.busy} onClick={() => void run()}>
            {canary === null ? t('programs.test') : t('programs.testAgain')}
          </button>
          <span role="status" className="soft">
            {test.busy && (
              <>
                <StateDot state="working" size={11} label="" /> {t('programs.testing')}
              </>
            )}
          </span>
        </p>
      )}
      <ErrorNote error={test.error} />
    </div>
  );
}

const asksTexts = {
  always: () => t('programs.asksAlways'),
  partly: () => t('programs.asksPartly'),
  never: () => t('programs.asksNever'),
};

function verdictText(view: HarnessView): string {
  const { canary, gate } = view;
  if (canary === null)
    return hasCanary(view) ? `${asksTexts[gate]()} ${t('programs.notTested')}` : asksTexts[gate]();
  return failedChecks(canary).length === 0 ? t('programs.testedAsks') : t('programs.failedTest');
}

const checkTexts: Readonly<Record<CanaryCheck, () => string>> = {
  shell: () => t('programs.checkShell'),
  edit: () => t('programs.checkEdit'),
  network: () => t('programs.checkNetwork'),
  subAgent: () => t('programs.checkSubAgent'),
  denial: () => t('programs.checkDenial'),
  rewrite: () => t('programs.checkRewrite'),
};

function Checks({ canary }: { canary: NonNullable<HarnessView['canary']> }) {
  return (
    <details className="more-fields">
      <summary>
        {t.rich('programs.checksOf', {
          version: canary.version,
          when: () => <Ago key="when" at={canary.at} />,
        })}
      </summary>
      <ul className="canary-checks">
        {canaryChecks.map((check) => {
          const isPassed = canary.passed.includes(check);
          return (
            <li key={check} className={isPassed ? '' : 'is-failed'}>
              <Icon name={isPassed ? 'check' : 'close'} size={13} />
              {checkTexts[check]()}
              <span className="visually-hidden">
                {isPassed ? t('programs.checkPassed') : t('programs.checkFailed')}
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
