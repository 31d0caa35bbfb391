import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { ContactView } from '../../contract/identity-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { act } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

const keyOf = ({ server, slug, state }: ContactView): string => `${server} ${slug} ${state}`;

/** First contacts that wait for the operator, and the decided ones. */
export function AgentContactsCard() {
  const { link } = useReplica();
  const [contacts, setContacts] = useState<readonly ContactView[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('contacts.list', {});
    setError(result.ok ? null : result.error);
    if (result.ok) setContacts(result.value.contacts);
  }, [link]);
  useEffect(() => void load(), [load]);
  return (
    <section className="card stack" aria-labelledby="agent-contacts-title">
      <h2 id="agent-contacts-title">{t('contacts.whoMayAgents')}</h2>
      <p className="soft">{t('contacts.agentsHint')}</p>
      <ErrorNote error={error} />
      {contacts.length === 0 && error === null && <p className="soft">{t('contacts.nobodyWrote')}</p>}
      <ul className="logins" aria-label={t('contacts.whoMayAgents')}>
        {contacts.map((contact) => (
          <Contact key={keyOf(contact)} contact={contact} onDone={() => void load()} />
        ))}
      </ul>
    </section>
  );
}

const buttons = {
  waiting: ['accept', 'block'],
  accepted: ['block', 'forget'],
  blocked: ['accept', 'forget'],
} as const;

function Contact({ contact, onDone }: { contact: ContactView; onDone(): void }) {
  const { link } = useReplica();
  const { slug, server, state, messages } = contact;
  const name = visibleLine(slug);
  const decide = async (verb: 'accept' | 'block' | 'forget'): Promise<void> => {
    if (await act(link, `contacts.${verb}`, { slug, server })) onDone();
  };
  return (
    <li>
      <p>
        <strong>
          <Name>{`@${slug}`}</Name>
        </strong>{' '}
        <span className="soft">
          {t(`contacts.agents_${state}`)}
          {messages === 0 ? '' : `; ${t('contacts.held', { n: messages })}`}
        </span>
      </p>
      <span className="file-actions">
        {buttons[state].map((verb) => (
          <button
            type="button"
            key={verb}
            className="button is-small"
            aria-label={t(`contacts.${verb}Of`, { name })}
            onClick={() => void decide(verb)}
          >
            {t(`contacts.${verb}`)}
          </button>
        ))}
      </span>
    </li>
  );
}
