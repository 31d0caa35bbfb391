/** Calls of outside programs in progress, by agent and id; each caller chooses its own ids. */
export class RunningCalls {
  readonly #calls = new Map<string, Map<string, AbortController>>();

  /** `null` if a call with this id is in progress. */
  begin(agentId: string, callId: string): AbortSignal | null {
    const calls = this.#calls.get(agentId) ?? new Map<string, AbortController>();
    if (calls.has(callId)) return null;
    const ended = new AbortController();
    this.#calls.set(agentId, calls.set(callId, ended));
    return ended.signal;
  }

  end(agentId: string, callId: string): void {
    const calls = this.#calls.get(agentId);
    calls?.delete(callId);
    if (calls?.size === 0) this.#calls.delete(agentId);
  }

  cancel(agentId: string, callId: string): void {
    this.#calls.get(agentId)?.get(callId)?.abort();
  }

  count(agentId: string): number {
    return this.#calls.get(agentId)?.size ?? 0;
  }

  /** Turn ids of running calls; questions of other outside turns have lost their call. */
  turns(agentId: string): readonly string[] {
    return [...(this.#calls.get(agentId)?.keys() ?? [])].map(outsideTurn);
  }
}

/** Distinct from ids of the agent's own turns. */
export const outsideTurn = (callId: string): string => `mcp_${callId}`;
