import type { ReactNode } from 'react';
import type { Approval } from '../../contract/consent.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { useNow } from '../parts/time.tsx';
import { sandboxWords } from '../words/consent.ts';
import { clockTime, exactTime, untilTime } from '../words/time.ts';

/** Why it asks, where it would happen, and what comes of waiting. */
export function AskFacts({ approval }: { approval: Approval }) {
  const { sandbox } = approval;
  return (
    <dl className="ask-facts">
      <Fact name="Why it asks">
        <bdi>{approval.why}</bdi>
      </Fact>
      {approval.where !== '' && (
        <Fact name="Where">
          <code>
            <ExactText text={approval.where} />
          </code>
        </Fact>
      )}
      {sandbox !== null && (
        <Fact name="Sandbox">
          <span className={sandbox === 'none' ? 'is-warning' : undefined}>{sandboxWords[sandbox]}</span>
        </Fact>
      )}
      {approval.state === 'waiting' && (
        <Fact name="If you wait">
          <Waiting approval={approval} />
        </Fact>
      )}
    </dl>
  );
}

function Waiting({ approval: { agentName, expiresAt, quietUntil } }: { approval: Approval }) {
  const now = useNow();
  const quiet = quietUntil !== null && quietUntil > now;
  return (
    <>
      <bdi>{agentName}</bdi> waits too. Without an answer it is denied{' '}
      <time dateTime={new Date(expiresAt).toISOString()} title={exactTime(expiresAt)}>
        {untilTime(expiresAt, now)}
      </time>
      .{quiet && ` You put it off until ${clockTime(quietUntil)}.`}
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

/** The arguments as the tool gets them, to the last character. */
export function AllArguments({ json }: { json: string }) {
  return (
    <details className="ask-args">
      <summary>All arguments</summary>
      <p className="ask-json">
        <ExactText text={indented(json)} />
      </p>
    </details>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
