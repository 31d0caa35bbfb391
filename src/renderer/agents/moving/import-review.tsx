import { type FormEvent, useState } from 'react';
import type { ImportReview, IncomingAgent } from '../../../contract/bundles.ts';
import { localize, t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { Field, SwitchField } from '../../parts/field.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import { useAgents } from '../../state/subscriptions.ts';
import { idFrom } from '../id-from.ts';
import { IncomingCard } from './incoming-card.tsx';
import type { Choice, Import } from './use-import.ts';

interface ReviewOf {
  readonly work: Import;
  readonly review: ImportReview;
  onClose(): void;
}

const noAgents = {};

/**
 * A single agent with a taken id can be imported under another id. Of several agents, only those without a
 * problem can be imported.
 */
const canCome = (review: ImportReview, agent: IncomingAgent): boolean =>
  agent.problem === '' || (review.agents.length === 1 && agent.displayName !== '');

/** Review of everything that the import would add. */
export function ImportReviewForm({ work, review, onClose }: ReviewOf) {
  const taken = useAgents((agents) => agents ?? noAgents);
  const only = review.agents.length === 1 ? review.agents[0] : undefined;
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    review.agents.filter((agent) => canCome(review, agent)).map(({ id }) => id),
  );
  const [as, setAs] = useState(() =>
    only === undefined ? '' : idFrom(only.id, (id) => Object.hasOwn(taken, id)),
  );
  const [trust, setTrust] = useState(false);
  const [identity, setIdentity] = useState<'keep' | 'new'>('keep');
  const further = review.identities.length > 0 || review.providerKeys.length > 0;
  const named = only === undefined || /^[\w-]{1,64}$/.test(as);
  const ready = named && (chosen.length > 0 || further);
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!ready || work.busy) return;
    const name: Choice = only === undefined ? { only: [...chosen] } : { as };
    void work.letIn(review.digest, { ...name, trust, identity });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t('moving.reviewText')}</p>
      <Further review={review} />
      <div className="incoming-list">
        {review.agents.map((agent) => (
          <IncomingCard
            key={agent.id}
            agent={agent}
            alone={only !== undefined}
            possible={canCome(review, agent)}
            checked={chosen.includes(agent.id)}
            onToggle={() => toggle(agent.id)}
          />
        ))}
      </div>
      {only !== undefined && (
        <Field
          label={t('moving.newId')}
          spellCheck={false}
          maxLength={64}
          value={as}
          onChange={(event) => setAs(event.target.value)}
          hint={t('moving.newIdHint')}
        />
      )}
      <Rights review={review} trust={trust} onTrust={setTrust} identity={identity} onIdentity={setIdentity} />
      <ErrorNote error={work.error} />
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={work.again}>
          {t('moving.another')}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {t('moving.cancel')}
        </button>
        <button type="submit" className="button is-primary" disabled={!ready || work.busy}>
          {work.busy ? t('moving.importing') : t('moving.import')}
        </button>
      </footer>
    </form>
  );
}

/** Further content of the archive: identities from a key store, and provider keys. */
function Further({ review: { identities, providerKeys } }: { review: ImportReview }) {
  return (
    <>
      {identities.length > 0 && (
        <ul className="left-list" aria-label={t('moving.identities')}>
          {identities.map(({ slug, serverUrl, use }) => (
            <li key={slug}>
              {t('moving.identityAt', {
                slug: visibleLine(slug),
                server: visibleLine(serverUrl),
                use: visibleLine(localize(use)),
              })}
            </li>
          ))}
        </ul>
      )}
      {providerKeys.length > 0 && (
        <p>{t('moving.providerKeys', { providers: providerKeys.map(visibleLine).join(', ') })}</p>
      )}
    </>
  );
}

interface RightsOf {
  readonly review: ImportReview;
  readonly trust: boolean;
  readonly identity: 'keep' | 'new';
  onTrust(trust: boolean): void;
  onIdentity(identity: 'keep' | 'new'): void;
}

function Rights({ review, trust, identity, onTrust, onIdentity }: RightsOf) {
  const permissions = [...new Set(review.agents.flatMap((agent) => agent.permissions))];
  const whose = [
    ['keep', t('moving.keep'), t('moving.keepMeans')],
    ['new', t('moving.fresh'), t('moving.freshMeans')],
  ] as const;
  return (
    <>
      {permissions.length > 0 && (
        <div>
          <h3>{t('moving.permissions')}</h3>
          <ul className="left-list">
            {permissions.map((one) => (
              <li key={one}>{visibleLine(one)}</li>
            ))}
          </ul>
          <SwitchField
            label={t('moving.trust')}
            checked={trust}
            onChange={onTrust}
            hint={t('moving.trustHint')}
          />
        </div>
      )}
      {review.agents.some((agent) => agent.identity !== null) && (
        <RadioField label={t('moving.whose')} value={identity} options={whose} onChange={onIdentity} />
      )}
    </>
  );
}
