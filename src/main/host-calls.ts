/** Calls of tray, menu and notifications to the host, with the operator's rights. */
import { z } from 'zod';
import type { AppHost } from './app-host.ts';
import type { TrayInput } from './tray-view.ts';
import { trayView } from './tray-view.ts';

const owner = { kind: 'owner-ui' } as const;
const answerSchema = z.object({ approval: z.object({ state: z.string() }) });

export interface HostCalls {
  setPaused(agent: string, paused: boolean): void;
  setAllPaused(paused: boolean): void;
  /** Puts a downloaded version into the operator's queue. */
  updateReady(version: string): void;
  /** Resolves to false if another answer came first, or if the host does not accept this one. */
  answer(question: { readonly id: string; readonly digest: string }, isYes: boolean): Promise<boolean>;
}

export function createHostCalls(host: AppHost, state: () => TrayInput): HostCalls {
  async function ask(method: string, input: unknown): Promise<unknown> {
    const started = await host.started();
    if (!started.ok) return null;
    const result = await started.value.call(owner, method, input);
    return result.ok ? result.value : null;
  }
  const setPaused = (agent: string, paused: boolean): void =>
    void ask(paused ? 'agents.pause' : 'agents.resume', { agent });

  return {
    setPaused,
    setAllPaused(paused) {
      const { agents, more } = trayView(state());
      const verb = paused ? 'pause' : 'resume';
      for (const row of [...agents, ...more]) if (row.verb === verb) setPaused(row.id, paused);
    },
    updateReady: (version) => void ask('host.updateReady', { version }),
    async answer({ id, digest }, isYes) {
      const answer = isYes ? { type: 'allow', scope: 'once' } : { type: 'deny', reason: '' };
      const said = await ask('approvals.decide', { id, digest, answer, surface: 'notification' });
      return answerSchema.safeParse(said).success;
    },
  };
}
