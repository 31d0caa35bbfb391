import { useEffect, useState } from 'react';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Empty } from '../parts/empty.tsx';
import { Note } from '../parts/notes.tsx';
import { useAnswered, useAsked, useAskedById } from '../state/approvals.ts';
import { useLine, useReplica } from '../state/subscriptions.ts';
import { lonePlace as place } from './approval-address.ts';
import { ApprovalCard } from './approval-card.tsx';
import { SettledLine } from './settled-line.tsx';

/** A single approval, for a small window of its own. */
export function LoneApproval({ id }: { id: string }) {
  const asked = useAskedById(id);
  const answered = useAnswered(id);
  const known = useReplica().approvals.store.getState().state !== null;
  const others = useAsked().filter((one) => one.id !== id);
  const lost = useLine() === 'lost';
  const [first, setFirst] = useState(asked);
  if (asked !== null && asked !== first) setFirst(asked);
  const shown = asked ?? answered?.approval ?? first;
  const title = shown === null ? 'Kennel' : t('inbox.loneTitle', { name: visibleLine(shown.agentName) });
  useEffect(() => {
    document.title = title;
  }, [title]);
  if (!known) return null;
  const [next] = others;
  return (
    <main className="lone">
      <h1 className="visually-hidden">{title}</h1>
      {lost && (
        <div role="alert">
          <Note tone="warning">{t('inbox.loneLost')}</Note>
        </div>
      )}
      {asked !== null && <ApprovalCard key={`${asked.id} ${asked.digest}`} approval={asked} focus />}
      {asked === null && shown !== null && <SettledLine approval={shown} />}
      {shown === null && <Empty title={t('inbox.loneGone')}>{t('inbox.loneGoneText')}</Empty>}
      {asked === null && (
        <footer className="form-foot">
          <button type="button" className="button" onClick={() => window.close()}>
            {t('inbox.close')}
          </button>
          {next !== undefined && (
            <a className="button is-primary" href={`${place}${encodeURIComponent(next.id)}`}>
              {t('inbox.next', { n: others.length })}
            </a>
          )}
        </footer>
      )}
    </main>
  );
}
