import { appError } from '../contract/errors.ts';
import type { DoctorCheck, HostView } from '../contract/model.ts';
import { err, ok } from '../contract/result.ts';
import type { HostContext } from './context.ts';
import type { Handlers } from './dispatch.ts';
import { checkMachine } from './doctor.ts';

type HostMethods = Pick<Handlers, 'host.view' | 'host.stop' | 'host.doctor' | 'host.unlock' | 'host.webLink'>;

export interface HostControls {
  view(): HostView;
  webLink(): string | null;
  stop(reason: string): void;
  /** Goes on with the start that waited for the vault. */
  resume(): Promise<void>;
}

const noPage = appError('unavailable', 'This host does not serve the page on loopback.', {
  hint: 'Use the window of the app, or start with "kennel start" after "npm run build".',
});

/** What only a running host knows. */
function checkHost({ problems, agents }: HostContext, view: HostView): DoctorCheck[] {
  const checks: DoctorCheck[] = problems.list().map(({ id, severity, message, hint }) => ({
    id: `problem-${id}`,
    title: 'Problem',
    status: severity === 'error' ? 'fail' : 'warn',
    detail: message,
    ...(hint ? { hint } : {}),
  }));
  for (const { id, error } of agents.list()) {
    if (error)
      checks.push({
        id: `agent-${id}`,
        title: `Agent ${id}`,
        status: 'fail',
        detail: [error.message, error.where].filter(Boolean).join(' '),
      });
  }
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
      const machine = await checkMachine(context.ports);
      return ok({ checks: [...machine, ...checkHost(context, controls.view())] });
    },
    'host.unlock': async ({ passphrase }) => {
      const opened = await context.secrets.unlock(passphrase);
      if (!opened.ok) return opened;
      await controls.resume();
      return ok({});
    },
    'host.webLink': () => {
      const url = controls.webLink();
      return url ? ok({ url }) : err(noPage);
    },
  };
}
