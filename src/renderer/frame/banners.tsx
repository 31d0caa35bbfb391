import { bridgeOf } from '../client/bridge.ts';
import { Icon } from '../mark/icon.tsx';
import { go } from '../state/route.ts';
import { hideBanner, useScreen } from '../state/screen.ts';
import { useHost, useLine } from '../state/subscriptions.ts';

/** A page in a browser is bound to the address of one start; the app's own window is not. */
const inBrowser = bridgeOf(window) === null;

/** What concerns the whole window; at most one line each. */
export function Banners() {
  return (
    <section className="banners" aria-label="Notes">
      <LineBanner />
      <VaultBanner />
    </section>
  );
}

function LineBanner() {
  const line = useLine();
  const stopping = useHost((host) => host?.state === 'stopping');
  if (line === 'lost')
    return (
      <p className="banner is-warning" role="alert">
        <Icon name="warning" size={16} />
        <span>
          Kennel is not answering. You see what was last known; what you type is kept. Trying again by itself.
          {inBrowser && (
            <>
              {' '}
              If it was started anew, <code>kennel open</code> gives you its new address.
            </>
          )}
        </span>
      </p>
    );
  if (!stopping) return null;
  return (
    <p className="banner" role="status">
      <span>Kennel is closing down. Work in progress is kept and goes on at the next start.</span>
    </p>
  );
}

function VaultBanner() {
  const kind = useHost((host) => host?.vault.kind ?? 'none');
  const note = useHost((host) => host?.vault.note ?? '');
  const hidden = useScreen((screen) => screen.bannerHidden);
  if (kind !== 'demo-file' || hidden) return null;
  const words =
    note === '' ? 'This demo’s key lies in a protected file, because no keychain was found.' : note;
  return (
    <div className="banner">
      <Icon name="lock" size={16} />
      <span>{words}</span>
      <button type="button" className="link" onClick={() => go({ view: 'settings' })}>
        What this means
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Hide this note; it stays in the status line"
        onClick={hideBanner}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
