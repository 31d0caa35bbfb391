/** The calls of programs outside that are under way, by agent and then by id: ids are the callers' own. */
export class RunningCalls {
  readonly #calls = new Map<string, Map<string, AbortController>>();

  /** Null: one of that id is under way. */
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

  /** What the gate knows them by; a question of any other turn has lost its call. */
  turns(agentId: string): readonly string[] {
    return [...(this.#calls.get(agentId)?.keys() ?? [])].map(outsideTurn);
  }
}

/** No turn of the agent's own. */
export const outsideTurn = (callId: string): string => `mcp_${callId}`;
