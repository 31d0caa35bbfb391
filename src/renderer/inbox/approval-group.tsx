import { type FormEvent, useId, useState } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ExactText } from '../parts/exact-text.tsx';
import { Field } from '../parts/field.tsx';
import { keepAnswered, useAsked } from '../state/approvals.ts';
import { showError, showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { ApprovalCard } from './approval-card.tsx';
import { SettledLine } from './settled-line.tsx';
import { type Cluster, ruleOf } from './similar-approvals.ts';

interface GroupOf {
  readonly cluster: Cluster;
  readonly focus: string | null;
}

/**
 * Group of similar approvals: one card, the others as lines. Each is allowed on its own; only a denial
 * applies to all.
 */
export function AlikeGroup({ cluster, focus }: GroupOf) {
  const id = useId();
  const waiting = new Set(useAsked().map((approval) => approval.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const [denying, setDenying] = useState(false);
  const left = cluster.filter((approval) => waiting.has(approval.id));
  const open = left.find((one) => one.id === chosen) ?? left.find((one) => one.id === focus) ?? left[0];
  const [first] = cluster;
  return (
    <section className="ask-alike" aria-labelledby={id}>
      {left.length > 1 && (
        <header className="ask-alike-head">
          <div>
            <h3 id={id}>
              {t.rich('inbox.alike', {
                n: left.length,
                rule: () => (
                  <code>
                    <ExactText text={ruleOf(first)} />
                  </code>
                ),
              })}
            </h3>
            <p className="fine">{t('inbox.alikeHint')}</p>
          </div>
          <button type="button" className="button is-small" onClick={() => setDenying(true)}>
            {t('inbox.denyAll', { n: left.length })}
          </button>
        </header>
      )}
      {left.length <= 1 && (
        <h3 id={id} className="visually-hidden">
          {ruleOf(first)}
        </h3>
      )}
      {cluster.map((approval) =>
        waiting.has(approval.id) ? null : <SettledLine key={approval.id} approval={approval} />,
      )}
      {open !== undefined && (
        <ApprovalCard
          key={`${open.id} ${open.digest}`}
          approval={open}
          focus={open.id === focus || open.id === chosen}
        />
      )}
      <Others others={left.filter((one) => one !== open)} onChoose={setChosen} />
      {denying && <DenyAll all={left} onClose={() => setDenying(false)} />}
    </section>
  );
}

function Others({ others, onChoose }: { others: readonly Approval[]; onChoose(id: string): void }) {
  if (others.length === 0) return null;
  return (
    <ul className="card rows-card" aria-label={t('inbox.laterAlike')}>
      {others.map((approval) => (
        <li key={approval.id} className="ask-other">
          <span>
            <bdi>{visibleLine(localize(approval.title))}</bdi>
            {approval.preview.kind === 'command' && (
              <code>
                <ExactText text={approval.preview.body} />
              </code>
            )}
          </span>
          <button
            type="button"
            className="button is-small"
            aria-label={`${t('inbox.show')}: ${visibleLine(localize(approval.title))}`}
            onClick={() => onChoose(approval.id)}
          >
            {t('inbox.show')}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Fixes the list when the dialog opens, so that later approvals are not denied with it. */
function DenyAll({ all, onClose }: { all: readonly Approval[]; onClose(): void }) {
  const { link } = useReplica();
  const [asked] = useState(all);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const deny = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (busy) return;
    setBusy(true);
    let done = 0;
    for (const { id, digest } of asked) {
      const answer = { type: 'deny', reason: reason.trim() } as const;
      const result = await link.call('approvals.decide', { id, digest, answer, surface: 'window' });
      if (result.ok) {
        keepAnswered({ ...result.value, late: false });
        done += 1;
      } else if (result.error.code !== 'conflict') showError(result.error);
    }
    showNotice(
      done === asked.length
        ? t('inbox.deniedAll', { n: done })
        : t('inbox.deniedSome', { done, n: asked.length }),
    );
    onClose();
  };
  return (
    <Confirm
      title={t('inbox.denyAllTitle', { n: asked.length })}
      verb={t('inbox.denyAllVerb')}
      busy={busy}
      onConfirm={() => void deny()}
      onClose={onClose}
    >
      <p>{t('inbox.denyAllText', { name: visibleLine(asked[0]?.agentName ?? '') })}</p>
      <form onSubmit={(event) => void deny(event)}>
        <Field
          label={t('consent.reason')}
          hint={t('consent.reasonHint')}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Confirm>
  );
}
