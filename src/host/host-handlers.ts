import { errorSentence } from '../contract/error-text.ts';
import { appError } from '../contract/errors.ts';
import type { DoctorCheck, HostView } from '../contract/model.ts';
import { err, ok } from '../contract/result.ts';
import type { LoadedAgent } from '../services/agent-store/agent-types.ts';
import { summaryOf } from './agents/agent-handlers.ts';
import type { HostContext } from './context.ts';
import type { Handlers } from './dispatch.ts';
import type { PageAccess } from './transport/web-server.ts';

type HostMethods = Pick<
  Handlers,
  | 'host.view'
  | 'host.stop'
  | 'host.doctor'
  | 'host.unlock'
  | 'host.webLink'
  | 'host.lock'
  | 'host.unlockPage'
  | 'host.signOutBrowsers'
>;

export interface HostControls {
  view(): HostView;
  /** `null` if the page is not served on loopback. */
  pages(): PageAccess | null;
  stop(reason: string): void;
  /** Resumes the startup that waited for the vault. */
  resume(): Promise<void>;
}

const noPage = appError('unavailable', 'This host does not serve the page on loopback.', {
  hint: 'Use the window of the app, or start with "kennel start" after "npm run build".',
});

const pageLocked = appError('locked', 'The page is locked.', { hint: 'Run "kennel unlock" first.' });

/** First an unreadable file, then the error that stops the agent. */
function checkAgent(context: HostContext, agent: LoadedAgent): DoctorCheck[] {
  const { life, error } = summaryOf(context, agent);
  return [agent.error, error].flatMap((found, index) => {
    if (!found) return [];
    const status = index === 0 || life === 'gave_up' ? 'fail' : 'warn';
    const detail = errorSentence(found);
    const id = `agent-${agent.id}${index === 0 ? '' : '-work'}`;
    const check = { id, title: `Agent ${agent.id}`, status, detail } as const;
    return [found.hint ? { ...check, hint: found.hint } : check];
  });
}

function checkServer({ ports }: HostContext, { operator }: HostView): DoctorCheck[] {
  if (ports.mode !== 'full' || !operator || operator.connection === 'online') return [];
  return [
    {
      id: 'server',
      title: 'Server',
      status: 'warn',
      detail: `${operator.slug} is not connected to ${operator.serverUrl} (${operator.connection}).`,
      hint: 'Kennel keeps trying. Check that the server runs and that this machine reaches it.',
    },
  ];
}

function checkHost(context: HostContext, view: HostView): DoctorCheck[] {
  const { problems, agents } = context;
  const checks: DoctorCheck[] = problems.list().map(({ id, severity, message, hint }) => ({
    id: `problem-${id}`,
    title: 'Problem',
    status: severity === 'error' ? 'fail' : 'warn',
    detail: message,
    ...(hint ? { hint } : {}),
  }));
  checks.push(...checkServer(context, view));
  for (const agent of agents.list()) checks.push(...checkAgent(context, agent));
  if (view.vault.note !== '') {
    checks.push({ id: 'vault', title: 'Secrets', status: 'warn', detail: view.vault.note });
  }
  return checks;
}

export function createHostHandlers(context: HostContext, controls: HostControls): HostMethods {
  return {
    'host.view': () => ok(controls.view()),
    'host.stop': ({ reason }) => {
      controls.stop(reason ?? 'asked to');
      return ok({});
    },
    'host.doctor': async () => {
      const view = controls.view();
      // Loaded on demand to keep startup fast.
      const { examine } = await import('./doctor/examine.ts');
      const looked = await examine(context, view.vault.kind);
      return ok({ checks: [...looked, ...checkHost(context, view)] });
    },
    'host.unlock': async ({ passphrase }) => {
      const opened = await context.secrets.unlock(passphrase);
      if (!opened.ok) return opened;
      await controls.resume();
      return ok({});
    },
    'host.webLink': () => {
      const pages = controls.pages();
      if (pages === null) return err(noPage);
      const url = pages.newLink();
      return url === null ? err(pageLocked) : ok({ url });
    },
    'host.lock': () => {
      const pages = controls.pages();
      return pages === null ? err(noPage) : ok({ browsers: pages.lock() });
    },
    'host.unlockPage': () => ok({ wasLocked: controls.pages()?.unlock() ?? false }),
    'host.signOutBrowsers': () => {
      const pages = controls.pages();
      return pages === null ? err(noPage) : ok({ browsers: pages.signOutAll() });
    },
  };
}
