/** What the agent store gives and takes. */
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { RuntimeStatus } from '../../core/agents/runtime-status.ts';

/** Asked for by a file below `.puffo-agent/`, which other programs may write (spec §5). */
export const agentRequests = ['archive', 'restart', 'delete'] as const;
export type AgentRequest = (typeof agentRequests)[number];

export interface LoadedAgent {
  readonly id: string;
  readonly folder: string;
  /** What agent.yml says now; null while it cannot be used, and `error` says why. `runtime.api_key` is always empty. */
  readonly config: AgentConfig | null;
  /** What is in force: the last usable config since start (F20); null when there was none. */
  readonly lastGood: AgentConfig | null;
  readonly error: AppError | null;
  readonly requests: readonly AgentRequest[];
}

export interface NewAgent {
  readonly id: string;
  readonly config: AgentConfig;
  readonly profile: string;
  /** Puts more into the folder (its keys) before anybody sees it; an error means that there is no agent. */
  readonly furnish?: (folder: string) => Result<void>;
}

/** What is named is changed, the rest of the file stays as it is. */
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
  readonly policy?: Partial<AgentConfig['policy']>;
  /** Null takes the limit away. */
  readonly budget?: AgentConfig['budget'];
  readonly on_arrival?: AgentConfig['on_arrival'];
}

export interface MemoryNote {
  /** File name without `.md`. */
  readonly name: string;
  /** Its trusted lines. */
  readonly text: string;
  /** Its other lines (T9). */
  readonly untrusted: string;
  /** ms since the epoch, of the file. */
  readonly updatedAt: number;
}

export interface AgentStore {
  /** By id. The first call reads everything. */
  list(): readonly LoadedAgent[];
  get(id: string): LoadedAgent | null;
  /** Told the ids of agents that came, went, or whose config, profile or requests changed. */
  onChange(listener: (ids: readonly string[]) => void): () => void;
  /** Begins to watch; `stop` ends it. */
  start(): void;
  stop(): void;
  /** Reads again what waited for the vault to open. */
  retryKeys(): void;
  create(agent: NewAgent): Result<LoadedAgent>;
  update(id: string, change: AgentChange): Result<LoadedAgent>;
  setState(id: string, state: AgentConfig['state']): Result<LoadedAgent>;
  readConfig(id: string): Result<{ readonly yaml: string; readonly path: string }>;
  /** A text that does not fit is refused with line and reason, and the file left alone. */
  writeConfig(id: string, yaml: string): Result<LoadedAgent>;
  readProfile(id: string): Result<string>;
  writeProfile(id: string, text: string): Result<void>;
  /** `*.md` of the memory folder but README.md, by name. */
  readMemory(id: string): Result<readonly MemoryNote[]>;
  /** Null when there is none that can be read. */
  readRuntimeStatus(id: string): RuntimeStatus | null;
  /** Writes runtime.json when more than its `updated_at` changed; after a power cut it may be the one before. */
  writeRuntimeStatus(id: string, status: RuntimeStatus): Result<void>;
  /** Asks as other programs do: by a file, which outlives this process. */
  request(id: string, request: AgentRequest): Result<void>;
  clearRequest(id: string, request: AgentRequest): Result<void>;
  /** Moves the folder below `archived/` and returns where; `by` only shapes the name (spec §5). */
  archive(id: string, by: 'command' | 'flag'): Result<string>;
  delete(id: string): Result<void>;
}
