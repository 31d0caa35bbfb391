import { type ReactNode, useState } from 'react';
import type { PolicyMode, PolicyRule, PolicyTest } from '../../../contract/approvals.ts';
import { localize, t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';

interface TestOf {
  /** `null` for all agents. */
  readonly agent: string | null;
  readonly rules: readonly PolicyRule[];
  /** `null` for each agent's own mode. */
  readonly mode: PolicyMode | null;
  readonly disabled: boolean;
}

const days = 30;
const was = { allow: 'tools.wasAllow', ask: 'tools.wasAsk', deny: 'tools.wasDeny' } as const;
const would = { allow: 'tools.wouldAllow', ask: 'tools.wouldAsk', deny: 'tools.wouldDeny' } as const;
const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

/** Shows how these rules would have decided about past tool calls. It runs and changes nothing. */
export function BackTestCard({ agent, rules, mode, disabled }: TestOf) {
  const test = useAction('policy.test');
  const [result, setResult] = useState<PolicyTest | null>(null);
  const run = async (): Promise<void> => {
    const answer = await test.run({
      ...(agent === null ? { all: true } : { agent }),
      ...(mode === null ? {} : { mode }),
      rules: [...rules],
      days,
    });
    setResult(answer.ok ? answer.value : null);
  };
  return (
    <div className="stack back-test">
      <div>
        <button type="button" className="button" disabled={disabled || test.busy} onClick={() => void run()}>
          {test.busy ? t('tools.trying') : t('tools.tryThem', { days })}
        </button>
      </div>
      <ErrorNote error={test.error} />
      {result !== null && <Outcome result={result} />}
    </div>
  );
}

function Outcome({ result }: { result: PolicyTest }) {
  if (result.calls === 0) return <p role="status">{t('tools.noCalls', { days })}</p>;
  return (
    <>
      <p role="status">
        {t.rich('tools.outcome', {
          calls: result.calls,
          allowed: result.allowed,
          asked: result.asked,
          denied: result.denied,
          b: bold,
        })}{' '}
        {result.changed.length === 0
          ? t('tools.nothingChanges')
          : t('tools.changes', { count: result.changed.length })}
      </p>
      {result.changed.length > 0 && (
        <ScrollRegion className="changed" label={t('tools.changedCalls')}>
          <ul>
            {result.changed.map((call, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a finished list, drawn once
              <li key={index}>
                <p>
                  <bdi>{visibleLine(localize(call.title))}</bdi>
                  <span className="soft">
                    {' '}
                    <Ago at={call.at} />
                  </span>
                </p>
                <p className="fine">
                  {t.rich('tools.changedWhy', {
                    was: t(was[call.was]),
                    would: t(would[call.would]),
                    why: visibleLine(localize(call.why)),
                    b: bold,
                  })}
                </p>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </>
  );
}
