import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { primerMissing, primerPath, primerText } from '../../core/agents/primer.ts';
import { summaryOf } from '../agents/agent-handlers.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

type UpkeepMethods = Pick<Handlers, 'primer.reset' | 'agents.refreshLogin' | 'host.checkUpdate'>;

const maxPrimerBytes = 1024 * 1024;
const refreshMs = 60_000;

/** Restores the default primer and keeps the edited one beside it. */
function resetPrimer(context: HostContext, refs: readonly string[]): Result<MethodOutput<'primer.reset'>> {
  for (const ref of refs) {
    const found = findAgent(context.agents, ref);
    if (!found.ok) return found;
  }
  const { disk, ports } = context;
  const path = join(ports.home, primerPath);
  const before = disk.readText(path, maxPrimerBytes);
  if (!before.ok) return before;
  if (before.value === primerText) return ok({ path, changed: false, kept: '' });
  let kept = '';
  if (before.value !== null && !primerMissing(before.value)) {
    kept = `${path}.before-${new Date(ports.clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`;
    const aside = disk.move(path, kept);
    if (!aside.ok) return aside;
  }
  const written = disk.write(path, primerText);
  return written.ok ? ok({ path, changed: true, kept }) : written;
}

function whyNoLogin(kind: string, id: string, provider: string): string | null {
  if (kind !== 'chat-local') return `${id} is of the kind ${kind}, whose login Kennel does not keep yet.`;
  return provider === '' ? `${id} has no model provider yet.` : null;
}

/** Renews the login of an agent's model, whatever its age. */
async function refreshLogin(context: HostContext, ref: string): Promise<Result<{ provider: string }>> {
  const found = findAgent(context.agents, ref);
  if (!found.ok) return found;
  const { id } = found.value;
  const { provider } = summaryOf(context, found.value);
  const why = whyNoLogin(configInForce(found.value).runtime.kind, id, provider);
  if (why) return err(appError('unsupported', why));
  const opened = await context.secrets.open();
  const login = opened.ok ? context.secrets.logins.get(provider) : opened;
  if (!login.ok) return login;
  if (!login.value) {
    return err(
      appError('unsupported', `${id} thinks with ${provider} without a login; a key needs no renewal.`),
    );
  }
  const { clock } = context.ports;
  const late = new Promise<Result<string>>((resolve) =>
    clock.after(refreshMs, () => resolve(err(appError('timeout', `${provider} did not answer in time.`))), {
      unref: true,
    }),
  );
  const renewed = await Promise.race([context.auth.token(provider, login.value.access), late]);
  return renewed.ok ? ok({ provider }) : renewed;
}

export function createUpkeepHandlers(context: HostContext): UpkeepMethods {
  return {
    'primer.reset': ({ agents }) => resetPrimer(context, agents),
    'agents.refreshLogin': ({ agent }) => refreshLogin(context, agent),
    'host.checkUpdate': async () => {
      const { checkUpdate } = await import('./check-update.ts');
      return ok(await checkUpdate(context.ports, context.settings.config().updates.url));
    },
  };
}
