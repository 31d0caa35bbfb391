/**
 * The secret of this browser's session with the host. `localStorage` binds it to the origin, including the
 * port.
 */
import type { HelloFrame } from '../../contract/page-session.ts';

const key = 'kennel.session';

export interface PageSession {
  /** Returns the first frame of a connection, or `null` if this browser is signed out. */
  hello(): HelloFrame | null;
  keep(secret: string): void;
  forget(): void;
  /** Runs when another tab signs in or when this page's address gets a one-time link. */
  onSignIn(run: () => void): void;
}

/** Returns the token of the one-time link and removes it from the address and the history at once. */
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
      // If the link failed or another tab signed in meanwhile, the stored session may still be valid.
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
