import { ok, type Result } from '../contract/result.ts';
import { isConfigured } from '../core/agents/agent-config.ts';
import { absoluteAvatarUrl, avatarBlobId } from '../core/puffo/avatar-url.ts';
import { tidyHome } from '../services/disk/tidy-home.ts';
import type { HostContext } from './context.ts';
import { demoFile } from './demo/demo.ts';
import type { OpenParts } from './operator.ts';

/**
 * Whether anything here needs the vault: existing contents, an operator, a demo, or an agent with an
 * identity.
 */
function needsSecrets(context: HostContext): boolean {
  if (context.secrets.state() !== 'none') return true;
  const operator = context.operator.record();
  if (!operator.ok || operator.value) return true;
  return (
    context.relay.exists() ||
    context.agents.list().some((agent) => agent.lastGood && isConfigured(agent.lastGood))
  );
}

async function openSecrets(context: HostContext): Promise<Result<OpenParts>> {
  const { secrets } = context;
  const opened = secrets.state() === 'none' ? await secrets.openForReal() : await secrets.open();
  return opened.ok ? context.openParts() : opened;
}

/** The embedded relay may have a new port; updates the server address in the agents' files. */
function followRelay(context: HostContext): void {
  const url = context.relay.current()?.url;
  if (!url) return;
  for (const agent of context.agents.list()) {
    const server = agent.lastGood?.puffo_core.server_url ?? '';
    if (server === url || !context.relay.isOurs(server)) continue;
    const picture = avatarBlobId(agent.lastGood?.avatar_url ?? '', server);
    const moved = context.agents.update(agent.id, {
      puffo_core: { server_url: url },
      ...(picture === null ? {} : { avatar_url: absoluteAvatarUrl(`/blobs/${picture}`, url) }),
    });
    if (!moved.ok) context.problems.set(`moved-${agent.id}`, 'warning', moved.error);
  }
}

export interface Begun {
  readonly state: 'ready' | 'locked';
  /** A failure that may pass without the user: a keychain, a disk. */
  readonly again: boolean;
}

function shown<T>(context: HostContext, id: string, result: Result<T>): boolean {
  if (result.ok) context.problems.clear(id);
  else context.problems.set(id, 'error', result.error);
  return result.ok;
}

/** Only a missing or wrong passphrase needs the user. */
const healsByItself = (context: HostContext, code: string): boolean =>
  context.secrets.view().kind !== 'passphrase' && code !== 'unauthenticated';

const agentsHeld = {
  message: 'Your agents were not started, as you asked. Everything else is here.',
  hint: 'Quit Kennel and start it again to have them back.',
};

/**
 * Starts what is configured, in order of dependency. A failure is shown and the rest continues; running parts
 * are left alone, so the call can be repeated.
 */
export async function startConfigured(context: HostContext): Promise<Begun> {
  const { relay, operator, fleet, problems } = context;
  if (!needsSecrets(context)) return { state: 'ready', again: false };
  const parts = await openSecrets(context);
  if (!shown(context, 'vault', parts) || !parts.ok) {
    return { state: 'locked', again: !parts.ok && healsByItself(context, parts.error.code) };
  }
  problems.clear('keychain');
  let complete = true;
  if (relay.exists()) {
    complete = shown(context, 'relay', await relay.start(parts.value.crypto));
    if (complete) followRelay(context);
  }
  complete = shown(context, 'operator', await operator.start(parts.value)) && complete;
  context.identity.signUps
    .begin()
    .catch((error: unknown) => context.ports.log.error('sign_up_failed', { error }));
  context.agents.retryKeys();
  context.settings.reload();
  if (context.ports.holdAgents) context.problems.set('held-agents', 'warning', agentsHeld);
  else fleet.begin(parts.value);
  context.chat.reset();
  return { state: 'ready', again: !complete };
}

/** An interrupted demo is completed at the next start. */
export function demoIsUnfinished(context: HostContext): boolean {
  const record = demoFile(context).read();
  return record.ok && record.value !== null && !record.value.complete;
}

/** Restricts permissions of the folder and removes leftovers of a crash, before the host writes anything. */
export async function closeFolder(context: HostContext): Promise<Result<void>> {
  context.disk.remove(context.layout.transfers);
  const report = await tidyHome(context.ports.home);
  if (report.repaired.length > 0) context.ports.log.warn('modes_repaired', { count: report.repaired.length });
  if (report.failed.length > 0) {
    context.problems.set('modes', 'warning', {
      message: `${report.failed.length} files of the data folder are open to others and could not be closed.`,
      hint: `Check their owner, e.g. ${report.failed[0]}.`,
    });
  }
  return ok(undefined);
}
