import { fail } from '../contract/fail.ts';
import type { DoctorCheck, HostView } from '../contract/model.ts';
import { err, ok } from '../contract/result.ts';
import type { Handlers } from './dispatch.ts';
import type { PageAccess } from './transport/web-server.ts';
import type { Secrets } from './vault/secrets.ts';

type HostMethods = Pick<
  Handlers,
  'host.view' | 'host.stop' | 'host.doctor' | 'host.unlock' | 'host.webLink' | 'host.signOutBrowsers'
>;

export interface HostHandlerDeps {
  readonly view: () => HostView;
  /** `null` if the page is not served on loopback. */
  readonly pages: () => PageAccess | null;
  readonly stop: (reason: string) => void;
  readonly unlock: Secrets['unlock'];
  /** Resumes the startup that waited for the vault. */
  readonly resume: () => Promise<void>;
  readonly examine: (view: HostView) => Promise<readonly DoctorCheck[]>;
}

export const noPage = fail('unavailable', 'host.pageNotServed', {}, { help: 'host.useAppWindow' });

const pageLocked = fail('locked', 'host.pageLocked', {}, { help: 'host.runUnlock' });

export function createHostHandlers({
  view,
  pages,
  stop,
  unlock,
  resume,
  examine,
}: HostHandlerDeps): HostMethods {
  return {
    'host.view': () => ok(view()),
    'host.stop': ({ reason }) => {
      stop(reason ?? 'asked to');
      return ok({});
    },
    'host.doctor': async () => {
      return ok({ checks: [...(await examine(view()))] });
    },
    'host.unlock': async ({ passphrase }) => {
      const opened = await unlock(passphrase);
      if (!opened.ok) return opened;
      await resume();
      return ok({});
    },
    'host.webLink': () => {
      const page = pages();
      if (page === null) return err(noPage);
      const url = page.newLink();
      return url === null ? err(pageLocked) : ok({ url });
    },
    'host.signOutBrowsers': () => {
      const page = pages();
      return page === null ? err(noPage) : ok({ browsers: page.signOutAll() });
    },
  };
}
