/** The secret of this browser's session with the host, kept for this origin: this address with this very port. */
import type { HelloFrame } from '../../contract/page-session.ts';

const key = 'kennel.session';

export interface PageSession {
  /** The first frame of a connection, or `null` if this browser is signed out. */
  hello(): HelloFrame | null;
  keep(secret: string): void;
  forget(): void;
  /** Another page of this browser signed in, or a link was put into the address of this one. */
  onSignIn(run: () => void): void;
}

/** The token of the one-time link that opened the page. It leaves the address and the history at once. */
function takeLink(page: Window): string | null {
  const token = /^#link=([A-Za-z0-9_-]+)$/.exec(page.location.hash)?.[1] ?? null;
  if (token !== null) page.history.replaceState(null, '', page.location.pathname);
  return token;
}

export function openPageSession(page: Window): PageSession {
  const storage = page.localStorage;
  let link = takeLink(page);
  let used: string | null = null;
  return {
    hello() {
      if (link !== null) return { type: 'hello', link };
      used = storage.getItem(key);
      return used === null ? null : { type: 'hello', session: used };
    },
    keep(secret) {
      link = null;
      used = secret;
      storage.setItem(key, secret);
    },
    forget() {
      // Where a link opened nothing, or another page signed in anew, the stored session may still be good.
      if (link === null && storage.getItem(key) === used) storage.removeItem(key);
      link = null;
    },
    onSignIn(run) {
      page.addEventListener('storage', (event) => {
        if (event.key === key && event.newValue !== null) run();
      });
      page.addEventListener('hashchange', () => {
        const token = takeLink(page);
        if (token === null) return;
        link = token;
        run();
      });
    },
  };
}
