/**
 * One running Claude Code process and its conversation. The session reads every line, hands events to the turn
 * that uses it, and refuses requests while no turn does.
 */
import type { UserContent } from '../../models/messages.ts';
import type { Random } from '../../ports.ts';
import type { HarnessExit } from '../harness-ports.ts';
import type { ProgramSession, SessionFacts, StartedProgram } from '../program/program-ports.ts';
import { type ClaudeEvent, readClaudeLine } from './claude-events.ts';
import { denyLine, initializeLine, interruptLine, refuseLine, userLine } from './claude-requests.ts';

/** `ended`: the process is gone; no event follows. */
export type SessionEvent = ClaudeEvent | { readonly type: 'ended'; readonly exit: HarnessExit };

export class ClaudeSession implements ProgramSession {
  readonly facts: SessionFacts;
  readonly #program: StartedProgram;
  readonly #random: Pick<Random, 'uuid'>;
  #listener: ((event: SessionEvent) => void) | null = null;
  #exit: HarnessExit | null = null;
  /** US dollars that the process has reported so far. */
  totalUsd = 0;

  constructor(facts: SessionFacts, program: StartedProgram, random: Pick<Random, 'uuid'>) {
    this.facts = facts;
    this.#program = program;
    this.#random = random;
    void this.#read();
  }

  get isOver(): boolean {
    return this.#exit !== null;
  }

  get isMetered(): boolean {
    return this.#program.isMetered;
  }

  /** Called once, before the first message. */
  initialize(servers: readonly string[], prompt: string): void {
    this.write(initializeLine(this.#random.uuid(), servers, prompt));
  }

  /** The turn that gets all events until it calls the returned function. */
  use(listener: (event: SessionEvent) => void): () => void {
    this.#listener = listener;
    // The process may have ended before.
    if (this.#exit) listener({ type: 'ended', exit: this.#exit });
    return () => {
      if (this.#listener === listener) this.#listener = null;
    };
  }

  send(content: readonly UserContent[]): void {
    this.write(userLine(content));
  }

  interrupt(): void {
    this.write(interruptLine(this.#random.uuid()));
  }

  write(line: string): void {
    this.#program.process.write(line);
  }

  end(): Promise<void> {
    return this.#program.end();
  }

  stderrTail(): string {
    return this.#program.process.stderrTail();
  }

  async #read(): Promise<void> {
    const { process } = this.#program;
    try {
      for await (const line of process.lines) for (const event of readClaudeLine(line)) this.#tell(event);
    } catch {
      // A broken pipe ends the process; its end is reported below.
    }
    const exit = await process.exited;
    this.#exit = exit;
    this.#listener?.({ type: 'ended', exit });
    // Closes what was opened for the process, such as its relay.
    await this.#program.end();
  }

  #tell(event: ClaudeEvent): void {
    if (this.#listener) this.#listener(event);
    else if (event.type === 'permission') this.write(denyLine(event.requestId, noTurn));
    else if (event.type === 'mcp' || event.type === 'other_request')
      this.write(refuseLine(event.requestId, noTurn));
  }
}

const noTurn = 'No turn is running.';
