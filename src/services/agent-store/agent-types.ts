/** The types of the agent store. */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { RuntimeStatus } from '../../core/agents/runtime-status.ts';

/** Requested by a file below `.puffo-agent/`, which other programs may write (spec §5). */
export const agentRequests = ['archive', 'restart', 'delete'] as const;
export type AgentRequest = (typeof agentRequests)[number];

export interface LoadedAgent {
  readonly id: string;
  readonly folder: string;
  /**
   * The current agent.yml, or `null` if it is invalid (`error` gives the reason). `runtime.api_key` is always
   * empty.
   */
  readonly config: AgentConfig | null;
  /** The config in force: the last valid one since start (F20), or `null` if none. */
  readonly lastGood: AgentConfig | null;
  readonly error: AppError | null;
  readonly requests: readonly AgentRequest[];
}

export interface NewAgent {
  readonly id: string;
  readonly config: AgentConfig;
  readonly profile: string;
  /** Adds files (its keys) to the folder before it becomes visible; on an error no agent is created. */
  readonly furnish?: (folder: string) => Result<void>;
}

/** Only the given members change; the rest of the file stays. */
export interface AgentChange {
  readonly state?: AgentConfig['state'];
  readonly display_name?: string;
  readonly avatar_url?: string;
  readonly role?: string;
  readonly role_short?: string;
  readonly puffo_core?: Partial<AgentConfig['puffo_core']>;
  readonly runtime?: Partial<Omit<AgentConfig['runtime'], 'api_key'>>;
  readonly triggers?: Partial<AgentConfig['triggers']>;
  readonly tools?: Partial<AgentConfig['tools']>;
  readonly bash?: Partial<AgentConfig['bash']>;
  readonly policy?: Partial<AgentConfig['policy']>;
  /** `null` removes the limit. */
  readonly budget?: AgentConfig['budget'];
  readonly on_arrival?: AgentConfig['on_arrival'];
}

export interface StoredMemoryNote {
  /** File name without `.md`. */
  readonly name: string;
  /** The trusted lines. */
  readonly text: string;
  /** The untrusted lines (T9). */
  readonly untrusted: string;
  /** Modification time of the file, ms since the epoch. */
  readonly updatedAt: number;
}

export interface AgentStore {
  /** Sorted by id. The first call reads all agents. */
  list(): readonly LoadedAgent[];
  get(id: string): LoadedAgent | null;
  /** Called with the ids of agents that were added, removed, or whose config, profile or requests changed. */
  onChange(listener: (ids: readonly string[]) => void): () => void;
  start(): void;
  stop(): void;
  /** Reads the agents again whose key waited for the vault to open. */
  retryKeys(): void;
  create(agent: NewAgent): Result<LoadedAgent>;
  update(id: string, change: AgentChange): Result<LoadedAgent>;
  setState(id: string, state: AgentConfig['state']): Result<LoadedAgent>;
  readConfig(id: string): Result<{ readonly yaml: string; readonly path: string }>;
  /** Refuses an invalid text with line and reason, and leaves the file unchanged. */
  writeConfig(id: string, yaml: string): Result<LoadedAgent>;
  readProfile(id: string): Result<string>;
  writeProfile(id: string, text: string): Result<void>;
  /** `*.md` of the memory folder except README.md, sorted by name. */
  readMemory(id: string): Result<readonly StoredMemoryNote[]>;
  /** `null` if missing or unreadable. */
  readRuntimeStatus(id: string): RuntimeStatus | null;
  /** Writes runtime.json if more than its `updated_at` changed; a power loss may restore the previous one. */
  writeRuntimeStatus(id: string, status: RuntimeStatus): Result<void>;
  /** Requests by a file, like other programs, so that the request survives this process. */
  request(id: string, request: AgentRequest): Result<void>;
  clearRequest(id: string, request: AgentRequest): Result<void>;
  /** Moves the folder below `archived/` and returns its new path; `by` only shapes the name (spec §5). */
  archive(id: string, by: 'command' | 'flag'): Result<string>;
  delete(id: string): Result<void>;
}
