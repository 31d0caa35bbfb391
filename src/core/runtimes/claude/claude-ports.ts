/** Ports of the Claude Code runtime: what the host supplies for one agent. */
import type { Result } from '../../../contract/result.ts';
import type { SandboxKind } from '../../policy/assessment.ts';
import type { Clock, Log, Random } from '../../ports.ts';
import type { Tool } from '../../tools/tool.ts';
import type { HarnessProcess, RelayTurn } from '../harness-ports.ts';
import type { TurnResources } from '../runtime-ports.ts';

export interface ClaudeLaunch {
  /** Of Claude Code's own sessions; `isNew`: it begins with this id. */
  readonly sessionId: string;
  readonly isNew: boolean;
  /** The turn that pays for model requests; `null` between turns. */
  turn(): RelayTurn | null;
}

/** A started program, and what was opened for it. */
export interface ClaudeProgram {
  readonly process: HarnessProcess;
  /** The host's relay records the cost of each request itself. */
  readonly isMetered: boolean;
  /** Ends the process and its access to models. */
  end(): Promise<void>;
}

/** Settings of the next start. */
export interface ClaudeSetup {
  /** Differs if a running program must be replaced: its model, mode, wall or program changed. */
  readonly key: string;
  /** Path of the program. */
  readonly program: string;
  readonly version: string;
  readonly sandbox: Exclude<SandboxKind, 'confined'>;
  readonly cwd: string;
  readonly provider: string;
  /** Empty: the program's own default. */
  readonly model: string;
  /** Assesses command lines as the program would run them. */
  readonly shell: Tool;
  launch(launch: ClaudeLaunch): Promise<Result<ClaudeProgram>>;
}

export interface ClaudeAgentPort {
  /** Fails with a sentence if the program is missing, too old or not logged in. */
  setup(): Promise<Result<ClaudeSetup>>;
  /** Whether the operator agreed that this agent runs this program with the operator's rights. */
  isTrusted(setup: ClaudeSetup): boolean;
  trust(setup: ClaudeSetup): Result<void>;
}

export interface ClaudeDeps {
  readonly agentId: string;
  readonly agent: ClaudeAgentPort;
  readonly turns: TurnResources;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
