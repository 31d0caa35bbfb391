import { PassphraseFields } from '../first-run/passphrase-fields.tsx';
import { useHost } from '../state/subscriptions.ts';

const kinds = {
  keychain: 'Your keys are sealed by this computer’s keychain.',
  passphrase: 'Your keys are sealed by your passphrase.',
  'demo-file':
    'This demo’s key lies in a file that only your user can read. Good enough to try things, not for real secrets.',
  none: 'Nothing is stored yet that needs sealing.',
} as const;

/** Where secrets rest, said plainly. */
export function VaultCard() {
  const kind = useHost((host) => host?.vault.kind ?? 'none');
  const backend = useHost((host) => host?.vault.backend ?? '');
  const note = useHost((host) => host?.vault.note ?? '');
  return (
    <section className="card stack" aria-labelledby="vault-title">
      <h2 id="vault-title">Keys and secrets</h2>
      <p>
        {kinds[kind]}
        {backend === '' ? '' : ` (${backend})`}
      </p>
      {note !== '' && <p className="soft">{note}</p>}
      {(kind === 'demo-file' || kind === 'none') && (
        <details>
          <summary>Use a passphrase</summary>
          <PassphraseFields why="With a passphrase you can connect to a real server and store API keys. Kennel asks for it at every start." />
        </details>
      )}
    </section>
  );
}
