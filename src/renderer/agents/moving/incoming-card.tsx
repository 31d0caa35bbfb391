import type { ReactNode } from 'react';
import type { IncomingAgent } from '../../../contract/bundles.ts';
import { localize, t } from '../../../language/texts.ts';
import { bytesWords } from '../../format/amounts.ts';
import { listed } from '../../format/listed.ts';
import { visibleBody, visibleLine } from '../../format/visible-text.ts';
import { providerName } from '../../models/providers.ts';
import { Name } from '../../parts/name.tsx';
import { Note } from '../../parts/notes.tsx';

interface CardOf {
  readonly agent: IncomingAgent;
  /** The file holds only this agent, so the card has no checkbox. */
  readonly alone: boolean;
  readonly possible: boolean;
  readonly checked: boolean;
  onToggle(): void;
}

function identityWords({ identity, identityNote }: IncomingAgent): string {
  if (identity === null) return visibleLine(localize(identityNote)) || t('moving.noIdentity');
  const values = { slug: visibleLine(identity.slug), server: visibleLine(identity.serverUrl) };
  switch (identity.vouchedBy) {
    case 'you':
      return t('moving.vouchedYou', values);
    case 'other':
      return t('moving.vouchedOther', values);
    case 'nobody':
      return t('moving.vouchedNobody', values);
  }
}

const modelWords = ({ runtime: { provider, model, baseUrl } }: IncomingAgent): string =>
  [model, providerName(provider), baseUrl].filter(Boolean).map(visibleLine).join(', ') ||
  t('moving.automatic');

/** One agent of the archive, shown as it would be imported. */
export function IncomingCard({ agent, alone, possible, checked, onToggle }: CardOf) {
  const name = visibleLine(agent.displayName || agent.id);
  return (
    <section className="card incoming" aria-label={name}>
      <h3>
        {alone ? (
          <Name>{agent.displayName || agent.id}</Name>
        ) : (
          <label className="pick-row">
            <input
              type="checkbox"
              checked={checked}
              disabled={!possible}
              aria-label={t('moving.take', { name })}
              onChange={onToggle}
            />
            <Name>{agent.displayName || agent.id}</Name>
          </label>
        )}{' '}
        <code className="fine">{t('moving.from', { id: agent.id })}</code>
      </h3>
      {agent.problem !== '' && (
        <Note tone="warning">
          <p>{visibleLine(localize(agent.problem))}</p>
        </Note>
      )}
      <dl>
        <Fact name={t('moving.role')} shown={agent.role !== ''}>
          <Name>{agent.role}</Name>
        </Fact>
        <Fact name={t('moving.soul')} shown={agent.soul !== ''}>
          <bdi className="incoming-soul">{visibleBody(agent.soul)}</bdi>
        </Fact>
        <Fact name={t('moving.model')}>
          {modelWords(agent)}
          {agent.apiKey && ` ${t('moving.apiKey')}`}
        </Fact>
        <Fact name={t('moving.tools')} shown={agent.tools.length > 0}>
          {listed(agent.tools)}
        </Fact>
        <Fact name={t('moving.triggers')} shown={agent.triggers.length > 0}>
          {listed(agent.triggers)}
        </Fact>
        <Fact name={t('moving.content')}>
          {t('moving.contentCount', {
            files: agent.files,
            bytes: bytesWords(agent.bytes),
            notes: agent.notes,
          })}
        </Fact>
        <Fact name={t('moving.identity')}>{identityWords(agent)}</Fact>
        <Fact name={t('moving.left')} shown={agent.left.length > 0}>
          {listed(agent.left)}
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, shown = true, children }: { name: string; shown?: boolean; children: ReactNode }) {
  if (!shown) return null;
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
