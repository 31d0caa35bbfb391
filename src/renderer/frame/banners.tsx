import { localize, t } from '../../language/texts.ts';
import { bridgeOf } from '../client/bridge.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { go } from '../state/route.ts';
import { hideBanner, useScreen } from '../state/screen.ts';
import { useHost, useLine } from '../state/subscriptions.ts';
import { HostHere } from './host-here.tsx';

/** A browser page is bound to the address of one start of the host; the desktop app is not. */
const inBrowser = bridgeOf(window) === null;

/** Notes about the whole window, at most one line each. */
export function Banners() {
  return (
    <section className="banners" aria-label={t('frame.notes')}>
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
          {t('frame.lost')}
          {inBrowser && (
            <> {t.rich('frame.newAddress', { code: (chunks) => <code key="code">{chunks}</code> })}</>
          )}
        </span>
        <HostHere />
      </p>
    );
  if (!stopping) return null;
  return (
    <p className="banner" role="status">
      <span>{t('frame.closing')}</span>
    </p>
  );
}

function VaultBanner() {
  const kind = useHost((host) => host?.vault.kind ?? 'none');
  const note = useHost((host) => host?.vault.note ?? '');
  const hidden = useScreen((screen) => screen.bannerHidden);
  if (kind !== 'demo-file' || hidden) return null;
  const words = note === '' ? t('frame.demoKey') : visibleLine(localize(note));
  return (
    <div className="banner">
      <Icon name="lock" size={16} />
      <span>{words}</span>
      <button type="button" className="link" onClick={() => go({ view: 'settings', section: 'security' })}>
        {t('frame.whatItMeans')}
      </button>
      <button type="button" className="icon-button" aria-label={t('frame.hideNote')} onClick={hideBanner}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
