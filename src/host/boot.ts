import { ok, type Result } from '../contract/result.ts';
import { isConfigured } from '../core/agents/agent-config.ts';
import { tidyHome } from '../services/disk/tidy-home.ts';
import type { HostContext } from './context.ts';
import { demoFile } from './demo/demo.ts';
import type { OpenParts } from './operator.ts';

/** Whether anything here needs the vault: an operator, a demo, or an agent that is to connect. */
function needsSecrets(context: HostContext): boolean {
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

/** The embedded relay may have a new port; the agents' files are brought up to date with it. */
function followRelay(context: HostContext): void {
  const url = context.relay.current()?.url;
  if (!url) return;
  for (const agent of context.agents.list()) {
    const server = agent.lastGood?.puffo_core.server_url ?? '';
    if (server === url || !context.relay.isOurs(server)) continue;
    const moved = context.agents.update(agent.id, { puffo_core: { server_url: url } });
    if (!moved.ok) context.problems.set(`moved-${agent.id}`, 'warning', moved.error);
  }
}

/** Starts what was set up before, in the order in which one needs the other. A failure is shown, and the rest goes on. */
export async function startConfigured(context: HostContext): Promise<'ready' | 'locked'> {
  const { problems, relay, operator, fleet } = context;
  if (!needsSecrets(context)) return 'ready';
  const parts = await openSecrets(context);
  if (!parts.ok) {
    problems.set('vault', 'error', parts.error);
    return 'locked';
  }
  problems.clear('vault');
  if (relay.exists()) {
    const started = await relay.start(parts.value.crypto);
    if (started.ok) followRelay(context);
    else problems.set('relay', 'error', started.error);
  }
  const self = await operator.start(parts.value);
  if (!self.ok) problems.set('operator', 'error', self.error);
  context.agents.retryKeys();
  context.settings.reload();
  fleet.begin(parts.value);
  context.chat.reset();
  return 'ready';
}

/** A demo whose building was interrupted is finished without being asked for again. */
export function demoIsUnfinished(context: HostContext): boolean {
  const record = demoFile(context).read();
  return record.ok && record.value !== null && !record.value.complete;
}

/** Closes the folder to others and clears what a crash left; before anything here writes. */
export async function closeFolder(context: HostContext): Promise<Result<void>> {
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
