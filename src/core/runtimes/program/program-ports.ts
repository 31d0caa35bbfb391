/** Ports of the runtime `cli-local`: what the host supplies for one agent, and what a protocol adds. */
import type { AppError } from '../../../contract/errors.ts';
import type { Result } from '../../../contract/result.ts';
import type { AssistantMessage } from '../../models/messages.ts';
import type { SpendGate } from '../../models/spend-gate.ts';
import type { SandboxKind } from '../../policy/assessment.ts';
import type { Clock, Log, Random } from '../../ports.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToolFacts } from '../../tools/tool-set.ts';
import type { GatedTools } from '../gated-tools.ts';
import type { HarnessProcess, HostTools, RelayTurn } from '../harness-ports.ts';
import type { LiveTurn } from '../live-turn.ts';
import type { TurnResources } from '../runtime-ports.ts';
import type { ProgramUndoDeps } from './program-undo.ts';
import type { SessionPlan } from './session-plan.ts';
import type { TerminalHold } from './terminal-hold.ts';

export interface ProgramLaunch {
  /** Id of a session of the program; `isNew`: the session starts with this id, if the program accepts an id. */
  readonly sessionId: string;
  readonly isNew: boolean;
  /** The turn that pays for model requests; `null` between turns. */
  turn(): RelayTurn | null;
  readonly spend: SpendGate;
}

/** The MCP server of the host as the process reaches it, also behind its wall. */
export interface ProgramMcp {
  readonly url: string;
  /** Bearer token of this process. */
  readonly token: string;
  /** The tools of the running turn; `null` after it. */
  offer(tools: HostTools | null): void;
}

/** A started program, and what was opened for it. */
export interface StartedProgram {
  readonly process: HarnessProcess;
  /** The host's relay records the cost of each request itself. */
  readonly isMetered: boolean;
  /** Absent: the program reaches no MCP server of the host. */
  readonly mcp?: ProgramMcp;
  /** Ends the process and its access to models. */
  end(): Promise<void>;
}

/** Settings of the next start. */
export interface ProgramSetup {
  /** Differs if a running program must be replaced: its model, mode, wall or program changed. */
  readonly key: string;
  /** Proper name of the program. */
  readonly title: string;
  /** Path of the program. */
  readonly program: string;
  /** The command line of agent.yml for a program that Kennel does not know; empty for the others. */
  readonly command: readonly string[];
  readonly version: string;
  readonly sandbox: Exclude<SandboxKind, 'confined'>;
  readonly cwd: string;
  readonly provider: string;
  /** Empty: the program's own default. */
  readonly model: string;
  /** Assesses command lines as the program would run them. */
  readonly shell: Tool;
  /** Whether agent.yml lets the program use this tool of its own. */
  readonly offers: (tool: ToolFacts) => boolean;
  readonly undo: ProgramUndoDeps;
  /** ms since the epoch until when the key or login that pays accepts no request; `null` if it does. */
  pausedUntil(): number | null;
  /** Parks all agents that use the same login until then. */
  pauseLogin(untilMs: number): void;
  launch(launch: ProgramLaunch): Promise<Result<StartedProgram>>;
}

export interface ProgramAgentPort {
  /** Absent: no terminal takes the sessions. */
  readonly hold?: TerminalHold;
  /** Fails with a sentence if the program is missing, too old or not logged in. */
  setup(): Promise<Result<ProgramSetup>>;
  /** Whether the operator agreed that this agent runs this program and command with the operator's rights. */
  isTrusted(setup: ProgramSetup): boolean;
  trust(setup: ProgramSetup): Result<void>;
  /** The program's session that the newest turn used, for a terminal; `isLent` as `wasLent` says of the resumed one. */
  noteSession?(sessionId: string, isLent: boolean): void;
  /** A person used the session in a terminal, so Kennel does not know what it holds. */
  wasLent?(sessionId: string): boolean;
  /** Tokens of the conversation, and those that the model can hold, if the program says so. */
  noteContext?(context: { readonly used: number; readonly size: number | null }): void;
}

export interface ProgramDeps {
  readonly agentId: string;
  readonly agent: ProgramAgentPort;
  readonly turns: TurnResources;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface SessionFacts {
  readonly sessionId: string;
  /** Equal for turns that this process can serve. */
  readonly key: string;
}

/** One running program and its conversation. */
export interface ProgramSession {
  readonly facts: SessionFacts;
  /** The process is gone. */
  readonly isOver: boolean;
  end(): Promise<void>;
}

export interface SessionTurn<Session> {
  readonly live: LiveTurn;
  readonly tools: GatedTools;
  readonly setup: ProgramSetup;
  readonly session: Session;
  /** The process was started for this turn. */
  readonly isFresh: boolean;
  readonly plan: SessionPlan;
  /** Called before the program gets the messages: a message given twice is better than one that was lost. */
  given(sessionId: string): void;
  /**
   * The login of the program has reached the limit of its plan; `untilMs` since the epoch, `null` if the program
   * did not say. Ignored if the host's relay pays.
   */
  limited(untilMs: number | null): void;
}

export interface SessionTurnEnd {
  readonly said: readonly AssistantMessage[];
  readonly error: AppError | null;
  /** The program does not know the session that it was asked to resume. */
  readonly isSessionUnknown: boolean;
  /** The program ended by itself or fell silent; a new process may go on in its session. */
  readonly isProgramGone: boolean;
}

/** How Kennel talks to one family of programs. */
export interface ProgramProtocol<Session extends ProgramSession> {
  /** Marks sessions in the transcript. */
  readonly id: string;
  connect(deps: ProgramDeps, facts: SessionFacts, program: StartedProgram): Session;
  run(deps: ProgramDeps, turn: SessionTurn<Session>): Promise<SessionTurnEnd>;
}
