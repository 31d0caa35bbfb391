import { useEffect, useState } from 'react';
import type { AuditLine } from '../../contract/consent.ts';
import type { AppError } from '../../contract/errors.ts';
import { StateDot } from '../mark/dot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { visibleLine } from '../words/visible-text.ts';

const shown = 20;

/** The log of every call and decision, each line chained to the one before it. */
export function AuditCard() {
  const { link } = useReplica();
  const [lines, setLines] = useState<readonly AuditLine[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    void link.call('audit.list', { limit: shown }).then((result) => {
      if (result.ok) setLines(result.value.lines);
      setError(result.ok ? null : result.error);
    });
  }, [link]);
  return (
    <section className="card stack" aria-labelledby="audit-title">
      <h2 id="audit-title">Audit log</h2>
      <p className="soft">
        Every call and every decision, each line sealed to the one before it. It holds no message and no
        argument, only their digest.
      </p>
      <Verify />
      <ErrorNote error={error} />
      {lines !== null && lines.length > 0 && (
        <ScrollRegion className="audit" label="The last lines of the log">
          <ul>
            {lines.map((line) => (
              <AuditRow key={line.seq} line={line} />
            ))}
          </ul>
        </ScrollRegion>
      )}
    </section>
  );
}

function Verify() {
  const verify = useAction('audit.verify');
  const [found, setFound] = useState<{ ok: boolean; lines: number; problem: string } | null>(null);
  const run = async (): Promise<void> => {
    const result = await verify.run({});
    setFound(result.ok ? result.value : null);
  };
  return (
    <>
      <div>
        <button type="button" className="button" disabled={verify.busy} onClick={() => void run()}>
          {verify.busy ? 'Checking…' : 'Check the chain'}
        </button>
      </div>
      <ErrorNote error={verify.error} />
      {found !== null && (
        <p role="status" className="verified">
          <StateDot state={found.ok ? 'idle' : 'error'} label="" />
          {found.ok
            ? `All ${plural(found.lines, 'line')} are whole and in order.`
            : `The chain does not hold: ${found.problem}`}
        </p>
      )}
    </>
  );
}

function AuditRow({ line }: { line: AuditLine }) {
  const about = [line.agentId, line.tool, line.outcome, line.detail].filter((part) => part !== '');
  return (
    <li>
      <span className="soft">{line.seq}</span>
      <span>
        {line.kind} <bdi>{visibleLine(about.join(' · '))}</bdi>
      </span>
      <span className="row-time">
        <Ago at={line.at} />
      </span>
    </li>
  );
}
