import { useState } from 'react';
import type { PolicyMode, PolicyRule, PolicyTest } from '../../../contract/consent.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { plural } from '../../words/amounts.ts';
import { visibleLine } from '../../words/visible-text.ts';

interface TestOf {
  /** Null: the calls of all of them. */
  readonly agent: string | null;
  readonly rules: readonly PolicyRule[];
  /** Null: as it is set for each. */
  readonly mode: PolicyMode | null;
  readonly disabled: boolean;
}

const days = 30;
const verdicts = { allow: 'ran', ask: 'asked', deny: 'denied' } as const;
const would = { allow: 'would run', ask: 'would ask', deny: 'would be denied' } as const;

/** What these rules would have decided about what really happened; nothing is run or changed by it. */
export function BackTest({ agent, rules, mode, disabled }: TestOf) {
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
          {test.busy ? 'Trying…' : `Try them on the last ${days} days`}
        </button>
      </div>
      <ErrorNote error={test.error} />
      {result !== null && <Outcome result={result} />}
    </div>
  );
}

function Outcome({ result }: { result: PolicyTest }) {
  if (result.calls === 0)
    return <p role="status">It made no calls in the last {days} days, so there is nothing to try them on.</p>;
  return (
    <>
      <p role="status">
        Of {plural(result.calls, 'call')}, <strong>{result.allowed} would run</strong>,{' '}
        <strong>{result.asked} would ask</strong> and <strong>{result.denied} would be denied</strong>.{' '}
        {result.changed.length === 0
          ? 'Nothing would go another way than it did.'
          : `${plural(result.changed.length, 'call')} would go another way:`}
      </p>
      {result.changed.length > 0 && (
        <ScrollRegion className="changed" label="Calls that would go another way">
          <ul>
            {result.changed.map((call, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a finished list, drawn once
              <li key={index}>
                <p>
                  <bdi>{visibleLine(call.title)}</bdi>
                  <span className="soft">
                    {' '}
                    <Ago at={call.at} />
                  </span>
                </p>
                <p className="fine">
                  {verdicts[call.was]}, <strong>{would[call.would]}</strong>: {visibleLine(call.why)}
                </p>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </>
  );
}
