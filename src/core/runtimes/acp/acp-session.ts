/**
 * One running program and its conversation by the Agent Client Protocol. The session refuses requests while no
 * turn uses it, and drops what a resumed program repeats.
 */
import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { atMost } from '../../lib/at-most.ts';
import type { UserContent } from '../../models/messages.ts';
import type { Clock, Log } from '../../ports.ts';
import type { HarnessExit, HostTools } from '../harness-ports.ts';
import { hostServer } from '../program/host-tools.ts';
import { programEnded } from '../program/program-errors.ts';
import type { ProgramSession, SessionFacts, StartedProgram } from '../program/program-ports.ts';
import { acpError, isGone } from './acp-errors.ts';
import {
  type AcpUpdate,
  extraCapabilities,
  readInitialized,
  readModes,
  readSessionId,
  readUpdate,
} from './acp-messages.ts';
import type {
  AcpAnswer,
  AcpConnection,
  AcpPermissionOutcome,
  AcpRequestName,
  ConnectAcp,
} from './acp-ports.ts';

/** ms for a program to start, and again for its session. */
const startMs = 60_000;
/** A resumed program repeats its conversation, some of it after it has said that it is done. */
const quietMs = 300;
const quietRounds = 20;

export interface AcpListener {
  update(update: AcpUpdate): void;
  permission(params: unknown): Promise<AcpPermissionOutcome>;
  ended(exit: HarnessExit): void;
}

export interface AcpSessionDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly connect: ConnectAcp;
}

const refused: AcpPermissionOutcome = { outcome: 'cancelled' };

export class AcpSession implements ProgramSession {
  readonly facts: SessionFacts;
  readonly #program: StartedProgram;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #connection: AcpConnection;
  #listener: AcpListener | null = null;
  #sessionId: string | null = null;
  #exit: HarnessExit | null = null;
  #hasDied = false;
  /** Updates so far, to tell when a program is quiet. */
  #heard = 0;
  /** US dollars that the session has reported so far. */
  totalUsd = 0;

  constructor({ clock, log, connect }: AcpSessionDeps, facts: SessionFacts, program: StartedProgram) {
    this.facts = facts;
    this.#clock = clock;
    this.#log = log;
    this.#program = program;
    this.#connection = connect(program.process, {
      update: (params) => {
        this.#heard += 1;
        this.#listener?.update(readUpdate(params));
      },
      permission: async (params) => (await this.#listener?.permission(params)) ?? refused,
    });
    void this.#watchEnd();
  }

  /** The tools of the host during a turn; `null` after it. */
  offer(tools: HostTools | null): void {
    this.#program.mcp?.offer(tools);
  }

  get isOver(): boolean {
    return this.#exit !== null;
  }

  /** The process ended by itself. */
  get hasDied(): boolean {
    return this.#hasDied;
  }

  get isMetered(): boolean {
    return this.#program.isMetered;
  }

  /** Empty before `open`. */
  get sessionId(): string {
    return this.#sessionId ?? '';
  }

  /** The turn that gets all events until it calls the returned function. */
  use(listener: AcpListener): () => void {
    this.#listener = listener;
    // The process may have ended before.
    if (this.#exit) listener.ended(this.#exit);
    return () => {
      if (this.#listener === listener) this.#listener = null;
    };
  }

  /**
   * Starts or resumes the conversation; call it before `use`. `lost`: the program does not know the session.
   * `mode` must be in force afterwards, if given.
   */
  async open(wanted: {
    readonly sessionId: string | null;
    readonly cwd: string;
    readonly mode: string | null;
    readonly title: string;
  }): Promise<Result<'open' | 'lost'>> {
    const { sessionId, cwd, mode, title } = wanted;
    const late = err(fail('timeout', 'turns.programFellSilent', { title }));
    const started = await this.#inTime('initialize', {
      protocolVersion: 1,
      // Neither files nor terminals: what the program does with those of the host, it does without asking.
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        ...extraCapabilities,
      },
      clientInfo: { name: 'kennel', version: '1' },
    });
    if (started === null) return late;
    const agent = started.ok ? readInitialized(started.value) : null;
    if (!started.ok) return err(await this.#refusal(started, title));
    if (agent === null) return err(fail('unsupported', 'turns.programSpeaksOtherVersion', { title }));
    if (sessionId !== null && !agent.canLoad) return ok('lost');
    const where = { cwd, mcpServers: agent.takesHttp ? this.#hostServers() : [] };
    const opened =
      sessionId === null
        ? await this.#inTime('session/new', where)
        : await this.#inTime('session/load', { sessionId, ...where });
    if (opened === null) return late;
    if (!opened.ok) {
      if (sessionId === null || isGone(opened)) return err(await this.#refusal(opened, title));
      this.#log.warn('agent_session_lost', { title, why: opened.error.message.slice(0, 300) });
      return ok('lost');
    }
    const id = sessionId ?? readSessionId(opened.value);
    if (id === null) return err(fail('unsupported', 'turns.programSpeaksOtherVersion', { title }));
    this.#sessionId = id;
    if (sessionId !== null) await this.#untilQuiet();
    return (await this.#hasMode(opened.value, mode))
      ? ok('open')
      : err(
          fail('forbidden', 'turns.programDoesNotAsk', {
            title,
            mode: readModes(opened.value)?.current ?? '',
          }),
        );
  }

  prompt(content: readonly UserContent[]): Promise<AcpAnswer> {
    const blocks = content.map((block) =>
      block.type === 'text'
        ? { type: 'text', text: block.text }
        : { type: 'image', mimeType: block.mimeType, data: block.data },
    );
    return this.#connection.request('session/prompt', { sessionId: this.sessionId, prompt: blocks });
  }

  cancel(): void {
    if (this.#sessionId !== null) this.#connection.cancel(this.#sessionId);
  }

  end(): Promise<void> {
    return this.#program.end();
  }

  stderrTail(): string {
    return this.#program.process.stderrTail();
  }

  /** The MCP server with the tools of the host, as the program reaches it. */
  #hostServers(): readonly object[] {
    const { mcp } = this.#program;
    if (mcp === undefined) return [];
    const headers = [{ name: 'Authorization', value: `Bearer ${mcp.token}` }];
    return [{ type: 'http', name: hostServer, url: mcp.url, headers }];
  }

  async #hasMode(opened: unknown, wanted: string | null): Promise<boolean> {
    if (wanted === null) return true;
    const modes = readModes(opened);
    if (modes?.current === wanted) return true;
    if (!modes?.available.includes(wanted)) return false;
    const set = await this.#inTime('session/set_mode', { sessionId: this.sessionId, modeId: wanted });
    return set?.ok === true;
  }

  async #refusal(answer: AcpAnswer & { readonly ok: false }, title: string): Promise<AppError> {
    if (!isGone(answer)) return acpError(answer.error);
    const { code, wasEnded } = await this.#program.process.exited;
    this.#hasDied = !wasEnded;
    return programEnded(this.#log, title, code, this.stderrTail().slice(-2_000));
  }

  /** `null` if the program does not answer in time. */
  async #inTime(method: AcpRequestName, params: object): Promise<AcpAnswer | null> {
    const answer = this.#connection.request(method, params);
    return (await atMost(this.#clock, startMs, answer)) ? answer : null;
  }

  async #untilQuiet(): Promise<void> {
    for (let round = 0; round < quietRounds; round += 1) {
      const before = this.#heard;
      await new Promise<void>((resolve) => this.#clock.after(quietMs, resolve));
      if (this.#heard === before || this.isOver) return;
    }
  }

  async #watchEnd(): Promise<void> {
    await this.#connection.closed;
    const exit = await this.#program.process.exited;
    this.#exit = exit;
    this.#listener?.ended(exit);
    // Closes what was opened for the process, such as its relay.
    await this.#program.end();
  }
}
