import { useEffect, useRef, useState } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { englishText } from '../../language/host-message.ts';
import { localize, t } from '../../language/texts.ts';
import { answerWords, surfaceWords } from '../format/consent.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { inheritsFocus, keepAnswered, useAnswered } from '../state/approvals.ts';
import { showError, showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { ApprovalDetails } from './approval-details.tsx';

/** One line about an answered approval, with an undo if a rule was stored. */
export function SettledLine({ approval, quiet = false }: { approval: Approval; quiet?: boolean }) {
  const { link } = useReplica();
  const answered = useAnswered(approval.id);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const known = answered !== null;
  useEffect(() => {
    if (known && inheritsFocus(approval.id)) place.current?.focus();
  }, [known, approval.id]);
  useEffect(() => {
    if (answered !== null) return;
    void link.call('approvals.get', { id: approval.id }).then((result) => {
      if (result.ok && result.value.approval.state !== 'waiting')
        keepAnswered({ ...result.value, late: false });
    });
  }, [link, approval.id, answered]);
  if (answered === null) return null;
  const now = answered.approval;
  return (
    <div ref={place} className={`settled is-${now.state}`} role={quiet ? undefined : 'status'} tabIndex={-1}>
      <Icon name={now.state === 'allowed' ? 'check' : 'minus'} size={16} />
      <p>
        {answered.late && `${t('consent.late')} `}
        <Settled approval={now} />
        {now.decision !== null && (
          <>
            {' · '}
            <Ago at={now.decision.at} />
          </>
        )}
        {now.decision?.reason ? (
          <bdi> {t('consent.quoted', { words: visibleLine(localize(now.decision.reason)) })}</bdi>
        ) : null}
      </p>
      <span className="settled-links">
        <Undo approval={now} />
        <button type="button" className="link" onClick={() => setOpen(true)}>
          {t('consent.details')}
        </button>
      </span>
      {open && <ApprovalDetails id={now.id} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Example: "Allowed once in the window: Guide wants to write hello.md". */
function Settled({ approval }: { approval: Approval }) {
  const [answer, place] = [answerWords(approval), surfaceWords(approval)];
  const parts = {
    answer,
    b: (chunks: React.ReactNode) => <strong>{chunks}</strong>,
    what: () => (
      <>
        <Name>{approval.agentName}</Name> <bdi>{visibleLine(localize(approval.title))}</bdi>
      </>
    ),
  };
  return place === '' ? t.rich('consent.settled', parts) : t.rich('consent.settledIn', { ...parts, place });
}

/** A stored rule can be revoked; a single call cannot be undone. */
function Undo({ approval }: { approval: Approval }) {
  const { link } = useReplica();
  const [gone, setGone] = useState(false);
  const scope = approval.decision?.scope ?? 'once';
  if (approval.state !== 'allowed' || scope === 'once' || gone) return null;
  const rule = englishText(approval.offers.find((offer) => offer.scope === scope)?.rule ?? '');
  const undo = async (): Promise<void> => {
    const grants = await link.call('grants.list', { agent: approval.agentId });
    if (!grants.ok) return showError(grants.error);
    const grant = grants.value.grants.find((one) => one.scope === scope && englishText(one.rule) === rule);
    if (grant !== undefined && !(await act(link, 'grants.revoke', { id: grant.id }))) return;
    setGone(true);
    showNotice(t(grant === undefined ? 'consent.undoneBefore' : 'consent.undone'));
  };
  return (
    <button type="button" className="link" onClick={() => void undo()}>
      {t('consent.undo')}
    </button>
  );
}
