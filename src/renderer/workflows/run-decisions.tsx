import type { RunGate } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { GateDetails } from '../inbox/gate-content.tsx';
import { Ago } from '../parts/time.tsx';
import { JsonDetails } from './json-details.tsx';
import { useNames } from './use-starter.ts';

/** Gates of the run: approver, time, and the exact content that was decided on. */
export function RunDecisions({ gates }: { gates: readonly RunGate[] }) {
  if (gates.length === 0)
    return (
      <div className="card">
        <p className="card-empty">{t('workflows.noDecisions')}</p>
      </div>
    );
  return (
    <ol className="stack decisions">
      {gates.map((gate) => (
        <li key={gate.id}>
          <Decision gate={gate} />
        </li>
      ))}
    </ol>
  );
}

function Decision({ gate }: { gate: RunGate }) {
  const names = useNames();
  const votes = gate.votes.map(names).join(', ');
  return (
    <article className="card stack">
      <p>
        <strong>{t(`workflows.decided_${gate.decision ?? 'open'}`)}</strong>
        {gate.decidedBy !== '' && ` · ${names(gate.decidedBy)}`}
        {gate.decidedAt !== null && (
          <>
            {' · '}
            <Ago at={gate.decidedAt} />
          </>
        )}{' '}
        <code className="fine">{visibleLine(gate.path)}</code>
      </p>
      {gate.reason !== '' && (
        <p>
          <bdi>{t('consent.quoted', { words: visibleLine(gate.reason) })}</bdi>
        </p>
      )}
      <GateDetails
        prompt={gate.prompt}
        preview={gate.preview}
        items={gate.items}
        subjectJson={gate.subjectJson}
      />
      {votes !== '' && <p className="fine">{t('workflows.agreed', { names: votes })}</p>}
      {gate.responseJson !== '' && (
        <JsonDetails
          title={t('workflows.partOf', { part: t('workflows.response'), path: visibleLine(gate.path) })}
          json={gate.responseJson}
          open
        />
      )}
      <p className="fine hash-line">
        {t.rich('workflows.contentHash', { hash: () => <code>{visibleLine(gate.contentHash)}</code> })}
      </p>
    </article>
  );
}
