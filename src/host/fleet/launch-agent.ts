import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { notYet } from '../../core/agents/runtime-triple.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { DesiredAgent } from '../../core/supervisor/reconcile.ts';
import type { LaunchHooks, RunningAgent } from '../../core/supervisor/supervisor-ports.ts';
import type { Worker, WorkerEvents } from '../../core/supervisor/worker-ports.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { AgentInbox, InboxEvents, InboxOf } from './agent-inbox.ts';
import type { AgentCapabilities } from './agent-record.ts';
import type { AgentTurns, TurnsOf } from './agent-turns.ts';
import type { AgentAccounts, OpenedAgent } from './open-agent.ts';

export interface AgentEvents extends InboxEvents {
  onOpened(account: Account, store: AccountStore, capabilities: AgentCapabilities): void;
  readonly worker: WorkerEvents;
}

export interface LaunchDeps {
  readonly accounts: AgentAccounts;
  readonly inboxOf: InboxOf;
  readonly turnsOf: TurnsOf;
}

/** Opens an agent's account and starts its worker; a store error is returned as such. */
export type LaunchAgent = (
  parts: OpenParts,
  desired: DesiredAgent<AgentConfig>,
  events: AgentEvents,
  hooks: LaunchHooks,
) => Promise<Result<RunningAgent<AgentConfig>>>;

export const createLaunch =
  (deps: LaunchDeps): LaunchAgent =>
  async (parts, desired, events, hooks) => {
    try {
      return await launch(deps, { parts, desired, events, hooks });
    } catch (error) {
      if (error instanceof StoreError) return err(error.toAppError());
      throw error;
    }
  };

interface Launching {
  readonly parts: OpenParts;
  readonly desired: DesiredAgent<AgentConfig>;
  readonly events: AgentEvents;
  readonly hooks: LaunchHooks;
}

async function launch(
  { accounts, inboxOf, turnsOf }: LaunchDeps,
  { parts, desired, events, hooks }: Launching,
): Promise<Result<RunningAgent<AgentConfig>>> {
  const unsupported = notYet(desired.config.runtime);
  if (unsupported) return err(unsupported);
  const found = accounts.open(parts, desired.id, desired.config);
  if (!found.ok) return found;
  const opened = found.value;
  let config = desired.config;
  let worker: Worker | null = null;
  const inbox = inboxOf({ opened, events, config: () => config, worker: () => worker });
  const turns = turnsOf({ opened, inbox, events: events.worker, config: () => config });
  worker = turns.worker;
  if (hooks.signal.aborted) return err(fail('cancelled', 'agents.startCancelled'));
  try {
    events.onOpened(inbox.account, opened.store, turns.capabilities);
    events.onBrakes(inbox.brakes.list());
    inbox.begin();
    turns.withdrawOver();
  } catch (error) {
    await inbox.account.stop();
    throw error;
  }
  return ok({
    update: (next) => {
      config = next;
      despiteStore(() => inbox.people.contacts.resume(), undefined);
    },
    stop: () => stopAgent(opened, inbox, turns),
  });
}

async function stopAgent({ store }: OpenedAgent, inbox: AgentInbox, turns: AgentTurns): Promise<void> {
  inbox.stop();
  await turns.worker.stop();
  await turns.close();
  await inbox.account.stop();
  store.release();
}
