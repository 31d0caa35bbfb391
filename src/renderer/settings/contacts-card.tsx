import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { PeerView } from '../../contract/identity-methods.ts';
import { Confirm } from '../parts/dialog.tsx';
import { SwitchField } from '../parts/field.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { act, useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { visibleLine } from '../words/visible-text.ts';

const stateWords: Readonly<Record<PeerView['state'], string>> = {
  changed: 'has another identity key than before',
  waiting: 'wants to write to you',
  allowed: 'may write to you',
  blocked: 'is blocked',
};

/** People about whom you have something to decide, or have decided. */
export function ContactsCard() {
  const joined = useRooms((view) => (view?.self ?? null) !== null);
  return joined ? <Contacts /> : null;
}

function Contacts() {
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
      <h2 id="contacts-title">Who may write to you</h2>
      <ErrorNote error={error} />
      {hold !== null && (
        <SwitchField
          label="Strangers wait for your yes"
          hint="The server holds what they write until you decide."
          checked={hold}
          onChange={(on) => void act(link, 'peers.holdFirst', { on }).then(() => load())}
        />
      )}
      {peers.length === 0 && error === null && (
        <p className="soft">Nobody waits, and nobody’s identity key has changed.</p>
      )}
      <ul className="logins" aria-label="People">
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
  const buttons = {
    changed: [],
    waiting: [
      ['Allow', 'peers.allow'],
      ['Block', 'peers.block'],
    ],
    allowed: [['Forget', 'peers.forget']],
    blocked: [['Forget', 'peers.forget']],
  } as const;
  return (
    <li>
      <p>
        <strong>
          <Name>{peer.displayName}</Name>
        </strong>{' '}
        <span className="soft">
          <Name>{`@${peer.slug}`}</Name> {stateWords[peer.state]}
          {peer.messages === 0 ? '' : `; ${plural(peer.messages, 'message')} held`}
        </span>
      </p>
      <span className="file-actions">
        {peer.state === 'changed' && (
          <button type="button" className="button is-small" onClick={() => setComparing(true)}>
            Compare…<span className="visually-hidden"> the keys of {visibleLine(peer.displayName)}</span>
          </button>
        )}
        {buttons[peer.state].map(([verb, row]) => (
          <button type="button" key={row} className="button is-small" onClick={() => void decide(row)}>
            {verb}
            <span className="visually-hidden"> {visibleLine(peer.displayName)}</span>
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

/** A key is taken over only with both of them before one's eyes. */
function ChangedKey({ peer, onDone, onClose }: ChangedOf) {
  const accept = useAction('peers.accept');
  const who = visibleLine(peer.displayName);
  const run = async (): Promise<void> => {
    const taken = await accept.run({ slug: peer.slug, fingerprint: peer.offeredFingerprint });
    if (!taken.ok) return;
    say(`The new key of ${who} is trusted from now on.`);
    onDone();
    onClose();
  };
  return (
    <Confirm
      title={`Is this the new key of ${who}?`}
      verb="Trust the new key"
      danger
      busy={accept.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>
        Ask {who} on another way, by telephone or in person, to read out their fingerprint. If it is not the
        second one, somebody else speaks in their name: cancel.
      </p>
      <p>Until now:</p>
      <p className="address">{visibleLine(peer.knownFingerprint)}</p>
      <p>Offered now:</p>
      <p className="address">{visibleLine(peer.offeredFingerprint)}</p>
      <ErrorNote error={accept.error} />
    </Confirm>
  );
}
