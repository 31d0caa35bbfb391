/** The turn on whose behalf a server is used. */
export interface ServerCaller {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
}

export interface OpenCall extends ServerCaller {
  /** Aborts when the call ends. */
  readonly signal: AbortSignal;
  /** Requests of the server during this call. */
  requests: number;
}

/** Calls that a server works on. What a server asks for is attributed to one of them. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>();
  #byOperator = 0;

  /** `caller`: `null` for a call by the operator, to which no request of the server is attributed. */
  async run<T>(caller: ServerCaller | null, work: () => Promise<T>): Promise<T> {
    if (caller === null) return this.#runByOperator(work);
    const ended = new AbortController();
    const { agentId, turnId, threadKey } = caller;
    const call: OpenCall = { agentId, turnId, threadKey, signal: ended.signal, requests: 0 };
    this.#open.add(call);
    try {
      return await work();
    } finally {
      this.#open.delete(call);
      ended.abort();
    }
  }

  /** The newest call; `null` if none is open, or if they belong to different callers: no one can tell who is meant. */
  current(): OpenCall | null {
    if (this.#byOperator > 0) return null;
    const open = [...this.#open];
    const newest = open.at(-1);
    return newest && open.every(({ agentId }) => agentId === newest.agentId) ? newest : null;
  }

  async #runByOperator<T>(work: () => Promise<T>): Promise<T> {
    this.#byOperator += 1;
    try {
      return await work();
    } finally {
      this.#byOperator -= 1;
    }
  }
}
