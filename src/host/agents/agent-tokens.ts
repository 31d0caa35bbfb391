import { randomBytes } from 'node:crypto';

/** One token per agent, created on first use and valid until the host stops. */
export class AgentTokens {
  readonly #tokens = new Map<string, string>();
  readonly #keepFromLog: (token: string) => void;

  constructor(keepFromLog: (token: string) => void) {
    this.#keepFromLog = keepFromLog;
  }

  of(agentId: string): string {
    const known = this.#tokens.get(agentId);
    if (known !== undefined) return known;
    const token = randomBytes(32).toString('base64url');
    this.#keepFromLog(token);
    this.#tokens.set(agentId, token);
    return token;
  }

  all(): Iterable<readonly [agentId: string, token: string]> {
    return this.#tokens;
  }

  clear(): void {
    this.#tokens.clear();
  }
}
