import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { PeerView } from '../../contract/identity-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { SwitchField } from '../parts/field.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { act, useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

/** People with a pending or past decision of the operator. */
export function ContactsCard() {
  const { link } = useReplica();
  const [peers, setPeers] = useState<readonly PeerView[]>([]);
  const [hold, setHold] = useState<boolean | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('peers.list', {});
    setError(result.ok ? null : result.error);
    if (!result.ok) return;
    setPeers(result.value.peers);
    setHold(result.value.holdFirstContact);
  }, [link]);
  useEffect(() => void load(), [load]);
  return (
    <section className="card stack" aria-labelledby="contacts-title">
      <h2 id="contacts-title">{t('contacts.whoMay')}</h2>
      <ErrorNote error={error} />
      {hold !== null && (
        <SwitchField
          label={t('contacts.hold')}
          hint={t('contacts.holdHint')}
          checked={hold}
          onChange={(on) => void act(link, 'peers.holdFirst', { on }).then(() => load())}
        />
      )}
      {peers.length === 0 && error === null && <p className="soft">{t('contacts.nobody')}</p>}
      <ul className="logins" aria-label={t('contacts.people')}>
        {peers.map((peer) => (
          <Peer key={`${peer.slug} ${peer.state}`} peer={peer} onDone={() => void load()} />
        ))}
      </ul>
    </section>
  );
}

function Peer({ peer, onDone }: { peer: PeerView; onDone(): void }) {
  const { link } = useReplica();
  const [comparing, setComparing] = useState(false);
  const decide = async (row: 'peers.allow' | 'peers.block' | 'peers.forget'): Promise<void> => {
    if (await act(link, row, { slug: peer.slug })) onDone();
  };
  const name = visibleLine(peer.displayName);
  const buttons = {
    changed: [],
    waiting: [
      ['allow', 'peers.allow'],
      ['block', 'peers.block'],
    ],
    allowed: [['forget', 'peers.forget']],
    blocked: [['forget', 'peers.forget']],
  } as const;
  return (
    <li>
      <p>
        <strong>
          <Name>{peer.displayName}</Name>
        </strong>{' '}
        <span className="soft">
          <Name>{`@${peer.slug}`}</Name> {t(`contacts.${peer.state}`)}
          {peer.messages === 0 ? '' : `; ${t('contacts.held', { n: peer.messages })}`}
        </span>
      </p>
      <span className="file-actions">
        {peer.state === 'changed' && (
          <button
            type="button"
            className="button is-small"
            aria-label={t('contacts.compareOf', { name })}
            onClick={() => setComparing(true)}
          >
            {t('contacts.compare')}
          </button>
        )}
        {buttons[peer.state].map(([verb, row]) => (
          <button
            type="button"
            key={row}
            className="button is-small"
            aria-label={t(`contacts.${verb}Of`, { name })}
            onClick={() => void decide(row)}
          >
            {t(`contacts.${verb}`)}
          </button>
        ))}
      </span>
      {comparing && <ChangedKey peer={peer} onDone={onDone} onClose={() => setComparing(false)} />}
    </li>
  );
}

interface ChangedOf {
  readonly peer: PeerView;
  onDone(): void;
  onClose(): void;
}

/** Accepts a changed key only after showing the old and the new fingerprint. */
function ChangedKey({ peer, onDone, onClose }: ChangedOf) {
  const accept = useAction('peers.accept');
  const who = visibleLine(peer.displayName);
  const run = async (): Promise<void> => {
    const taken = await accept.run({ slug: peer.slug, fingerprint: peer.offeredFingerprint });
    if (!taken.ok) return;
    showNotice(t('contacts.trusted', { name: who }));
    onDone();
    onClose();
  };
  return (
    <Confirm
      title={t('contacts.changedTitle', { name: who })}
      verb={t('contacts.trustVerb')}
      danger
      busy={accept.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{t('contacts.changedText', { name: who })}</p>
      <p>{t('contacts.untilNow')}</p>
      <p className="address">{visibleLine(peer.knownFingerprint)}</p>
      <p>{t('contacts.offered')}</p>
      <p className="address">{visibleLine(peer.offeredFingerprint)}</p>
      <ErrorNote error={accept.error} />
    </Confirm>
  );
}
