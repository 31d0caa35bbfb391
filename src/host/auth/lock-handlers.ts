import { fail } from '../../contract/fail.ts';
import type { lockMethods } from '../../contract/lock-methods.ts';
import { err, ok } from '../../contract/result.ts';
import type { Handlers } from '../dispatch.ts';
import { noPage } from '../host-handlers.ts';
import type { PageAccess } from '../transport/web-server.ts';
import type { Secrets } from '../vault/secrets.ts';
import type { WindowLock } from './window-lock.ts';

export interface LockHandlerDeps {
  readonly lock: WindowLock;
  readonly secrets: Pick<Secrets, 'changePassphrase'>;
  /** `null` if the page is not served on loopback. */
  readonly pages: () => Pick<PageAccess, 'sessions' | 'lock' | 'unlock'> | null;
}

export function createLockHandlers({
  lock,
  secrets,
  pages,
}: LockHandlerDeps): Pick<Handlers, keyof typeof lockMethods | 'host.lock' | 'host.unlockPage'> {
  const done = (result: Awaited<ReturnType<WindowLock['check']>>) => (result.ok ? ok({}) : result);
  return {
    // The owner at a terminal can unlock without a passphrase, a page cannot.
    'host.lock': (_input, { kind }) => {
      if (kind === 'owner-ui' && lock.kind() === 'none') return err(fail('not_found', 'secrets.lockUnset'));
      const page = pages();
      return page === null ? err(noPage) : ok({ browsers: page.lock() });
    },
    'host.unlockPage': () => {
      lock.openAll();
      return ok({ wasLocked: pages()?.unlock() ?? false });
    },
    'lock.view': () =>
      ok({
        kind: lock.kind(),
        lastOpened: lock.lastOpened(),
        browsers: (pages()?.sessions() ?? []).map((session) => ({
          id: session.id,
          since: session.since,
          usedAt: session.usedAt(),
          pages: session.pages(),
        })),
      }),
    'lock.check': async ({ passphrase }) => done(await lock.check(passphrase, 'app')),
    'lock.setPassphrase': async ({ passphrase, former }) => done(await lock.set(passphrase, former)),
    'vault.changePassphrase': async ({ former, passphrase }) =>
      done(await secrets.changePassphrase(former, passphrase)),
    'lock.endBrowser': ({ id }) => {
      const session = pages()
        ?.sessions()
        .find((one) => one.id === id);
      if (session === undefined) return err(fail('not_found', 'secrets.browserSignedOut'));
      session.end();
      return ok({});
    },
  };
}
