import { join } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type RuntimeKind, runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import { primerMissing, primerPath, primerText } from '../../core/agents/primer.ts';
import { fileTimestamp } from '../../core/lib/file-timestamp.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { configInForce, type SummarizeAgent } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Auth } from '../auth/auth.ts';
import type { Handlers } from '../dispatch.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Problems } from '../problems.ts';
import type { Secrets } from '../vault/secrets.ts';

const maxPrimerBytes = 1024 * 1024;
const refreshMs = 60_000;

export interface PrimerDeps {
  readonly agents: AgentStore;
  readonly disk: DiskPort;
  readonly home: string;
  readonly clock: Clock;
}

/** Restores the default primer and keeps the edited one beside it. */
function resetPrimer(
  { agents, disk, home, clock }: PrimerDeps,
  refs: readonly string[],
): Result<MethodOutput<'primer.reset'>> {
  for (const ref of refs) {
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
  }
  const path = join(home, primerPath);
  const before = disk.readText(path, maxPrimerBytes);
  if (!before.ok) return before;
  if (before.value === primerText) return ok({ path, changed: false, kept: '' });
  let kept = '';
  if (before.value !== null && !primerMissing(before.value)) {
    kept = `${path}.before-${fileTimestamp(clock.now())}`;
    const aside = disk.move(path, kept);
    if (!aside.ok) return aside;
  }
  const written = disk.write(path, primerText);
  return written.ok ? ok({ path, changed: true, kept }) : written;
}

function whyNoLogin(kind: RuntimeKind, id: string, provider: string): AppError | null {
  if (!runtimeKindFacts(kind).callsModel) return fail('unsupported', 'host.loginNotStored', { id, kind });
  return provider === '' ? fail('unsupported', 'host.providerMissing', { id }) : null;
}

export interface LoginRefreshDeps {
  readonly agents: AgentStore;
  readonly summarize: SummarizeAgent;
  readonly secrets: Pick<Secrets, 'open' | 'logins'>;
  readonly auth: Pick<Auth, 'token'>;
  readonly clock: Clock;
}

/** Renews the login of an agent's model, whatever its age. */
async function refreshLogin(
  { agents, summarize, secrets, auth, clock }: LoginRefreshDeps,
  ref: string,
): Promise<Result<{ provider: string }>> {
  const found = findAgent(agents, ref);
  if (!found.ok) return found;
  const { id } = found.value;
  const { provider } = summarize(found.value);
  const why = whyNoLogin(configInForce(found.value).runtime.kind, id, provider);
  if (why) return err(why);
  const opened = await secrets.open();
  const login = opened.ok ? secrets.logins.get(provider) : opened;
  if (!login.ok) return login;
  if (!login.value) {
    return err(fail('unsupported', 'host.noLoginToRenew', { id, provider }));
  }
  const late = new Promise<Result<string>>((resolve) =>
    clock.after(refreshMs, () => resolve(err(fail('timeout', 'host.providerTimedOut', { provider }))), {
      unref: true,
    }),
  );
  const renewed = await Promise.race([auth.token(provider, login.value.access), late]);
  return renewed.ok ? ok({ provider }) : renewed;
}

export const createPrimerHandlers = (deps: PrimerDeps): Pick<Handlers, 'primer.reset'> => ({
  'primer.reset': ({ agents }) => resetPrimer(deps, agents),
});

export const createLoginRefreshHandlers = (
  deps: LoginRefreshDeps,
): Pick<Handlers, 'agents.refreshLogin'> => ({
  'agents.refreshLogin': ({ agent }) => refreshLogin(deps, agent),
});

export interface UpdateCheckDeps extends Pick<HostPorts, 'version' | 'fetch'> {
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly problems: Problems;
}

type UpdateMethods = Pick<Handlers, 'host.checkUpdate' | 'host.updateReady'>;

export const createUpdateHandlers = (deps: UpdateCheckDeps): UpdateMethods => ({
  'host.updateReady': ({ version }) => {
    const said = { message: say('host.updateDownloaded', { version }), hint: say('host.restartToInstall') };
    deps.problems.set('update', 'warning', said, { kind: 'update', version });
    return ok({});
  },
  'host.checkUpdate': async () => {
    const { checkUpdate } = await import('./check-update.ts');
    return ok(await checkUpdate(deps, deps.settings.config().updates.url));
  },
});
