/** Carries out the actions of `reconcile`, for all agents in parallel; has no timers of its own. */
import { raceAgainst } from '../lib/sleep.ts';
import { AgentSlot } from './agent-slot.ts';
import { type DesiredAgent, type ReconcileAction, reconcile } from './reconcile.ts';
import type { Supervisor, SupervisorDeps } from './supervisor-ports.ts';

const defaultGraceMs = 9_500;

export function createSupervisor<Config>(deps: SupervisorDeps<Config>): Supervisor<Config> {
  const slots = new Map<string, AgentSlot<Config>>();
  let wanted = new Map<string, DesiredAgent<Config>>();
  let closed = false;

  const slotFor = (id: string): AgentSlot<Config> => {
    const slot = slots.get(id) ?? new AgentSlot(id, deps);
    slots.set(id, slot);
    return slot;
  };

  const remove = async (id: string): Promise<void> => {
    const slot = slots.get(id);
    if (!slot) return;
    await slot.halt(null);
    // The agent may have been requested again while it stopped.
    if (wanted.has(id) || slots.get(id) !== slot) return;
    slots.delete(id);
    deps.onLife(id, null);
  };

  const act = (action: ReconcileAction<Config>): void => {
    switch (action.type) {
      case 'start':
      case 'restart':
        slotFor(action.id).run(action.desired);
        return;
      case 'update':
        slotFor(action.id).update(action.desired);
        return;
      case 'stop':
        if (action.why === 'gone') void remove(action.id);
        else void slotFor(action.id).halt(action.why === 'paused' ? 'paused' : 'not_connected');
        return;
      case 'leave': {
        const wish = wanted.get(action.id)?.wish;
        if (wish === 'pause') slotFor(action.id).rest('paused');
        if (wish === 'idle_unconfigured') slotFor(action.id).rest('not_connected');
      }
    }
  };

  const settled = async (): Promise<void> => {
    for (;;) {
      const working = [...slots.values()].flatMap((slot) => slot.working ?? []);
      if (working.length === 0) return;
      await Promise.all(working);
    }
  };

  return {
    apply(desired) {
      if (closed) return;
      wanted = new Map(desired.map((agent) => [agent.id, agent]));
      for (const action of reconcile(
        desired,
        [...slots.values()].map((slot) => slot.actual),
      )) {
        act(action);
      }
    },
    restart(id) {
      const desired = wanted.get(id);
      if (closed || desired?.wish !== 'run') return false;
      slotFor(id).run(desired);
      return true;
    },
    lifeOf: (id) => slots.get(id)?.report ?? null,
    settled,
    async stopAll(graceMs = defaultGraceMs) {
      closed = true;
      const stopping = Promise.all([...slots.values()].map((slot) => slot.halt(null)));
      const raced = await raceAgainst(stopping, deps.clock, graceMs, new AbortController().signal);
      if (raced.type === 'timeout') deps.log.warn('supervisor_stop_timeout', { graceMs });
    },
  };
}
