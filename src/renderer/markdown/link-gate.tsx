import { type ReactNode, useState } from 'react';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { strong } from '../parts/rich.tsx';

/** Allows only `https:` and `mailto:` links; any other link stays plain text. */
export function gatedAddress(address: string | undefined): URL | null {
  if (address === undefined) return null;
  try {
    const url = new URL(address.trim());
    return url.protocol === 'https:' || url.protocol === 'mailto:' ? url : null;
  } catch {
    return null;
  }
}

/** Link from the host, under the same rule, with its destination beside it. */
export function LeaveLink({ href, children }: { href: string; children: ReactNode }) {
  const url = gatedAddress(href);
  if (url === null) return <p className="address">{t('links.cannotOpen', { address: visibleLine(href) })}</p>;
  return (
    <>
      <a className="button is-primary" href={url.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
      <p className="address">{visibleLine(url.href)}</p>
    </>
  );
}

/** Link from untrusted content: a dialog shows the real destination before it opens. */
export function GatedLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const url = gatedAddress(href);
  if (url === null) return <span className="dead-link">{children}</span>;
  const where = url.protocol === 'mailto:' ? decodeSafely(url.pathname) : url.host;
  return (
    <>
      <button type="button" className="link" title={visibleLine(url.href)} onClick={() => setAsking(true)}>
        {children}
      </button>
      {asking && (
        <Dialog
          title={url.protocol === 'mailto:' ? t('links.writeMail') : t('links.leave')}
          onClose={() => setAsking(false)}
        >
          <p>{t.rich('links.leadsTo', { where: visibleLine(where), b: strong })}</p>
          <p className="address">{visibleLine(url.href)}</p>
          <footer className="dialog-foot">
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {t('links.stay')}
            </button>
            <a
              className="button is-primary"
              href={url.href}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => setAsking(false)}
            >
              {t('links.open')}
            </a>
          </footer>
        </Dialog>
      )}
    </>
  );
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
