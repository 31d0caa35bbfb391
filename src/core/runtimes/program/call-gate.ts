/** Takes the calls of a program to the approval gate, in the form of Kennel's own tools. */
import type { BeforeVerdict, CallView } from '../../loop/loop-config.ts';
import type { LoopTool } from '../../loop/loop-tool.ts';
import { type AssistantMessage, noUsage } from '../../models/messages.ts';
import { revealedBy } from '../../policy/audience.ts';
import type { Clock } from '../../ports.ts';
import type { GatedTools } from '../gated-tools.ts';
import type { LiveTurn } from '../live-turn.ts';
import type { ProgramRecord } from './program-record.ts';

type Args = Readonly<Record<string, unknown>>;

export interface CallGateParts {
  readonly live: LiveTurn;
  readonly record: ProgramRecord;
  readonly tools: GatedTools;
  readonly clock: Clock;
  /** The gate failed, so no person can be asked any more: ends the program. */
  lost(): void;
}

export class CallGate {
  readonly #parts: CallGateParts;
  /** Ids of calls that must not run. */
  readonly refused = new Set<string>();
  #waiting = 0;

  constructor(parts: CallGateParts) {
    this.#parts = parts;
  }

  /** True while a request has no answer. */
  get isAsked(): boolean {
    return this.#waiting > 0;
  }

  /** A failed gate or record refuses the request and ends the program: it must not act without them. */
  async answering<Answer>(work: () => Promise<Answer>, refuse: (error: unknown) => Answer): Promise<Answer> {
    this.#waiting += 1;
    try {
      return await work();
    } catch (error) {
      this.#parts.lost();
      return refuse(error);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** `null` if the program may carry out the call, else the reason against it. */
  async whyNot(callId: string, name: string, args: Args): Promise<string | null> {
    const { live, tools } = this.#parts;
    const loopTool = tools.loopTools.find((one) => one.name === name);
    if (!loopTool) return `${name} is not allowed for this agent.`;
    const reason = await this.ask(callId, loopTool, args);
    if (reason !== null) return reason;
    if (live.abort.signal.aborted) return 'The turn was stopped.';
    this.began(callId, name, args);
    return null;
  }

  /** The program starts the call; from now on its result counts as read (T9). */
  began(callId: string, name: string, args: Args): void {
    const { live, record } = this.#parts;
    record.started(callId, name, args);
    const tool = live.parts.kit.tools.find((one) => one.name === name);
    if (tool) live.reads.note(revealedBy(tool));
    if (!tool || tool.foreign === true) live.taint();
  }

  /** The reason why a call may not run, or `null`. */
  async ask(callId: string, tool: LoopTool, args: Args): Promise<string | null> {
    const { live, record, tools, clock } = this.#parts;
    const toolCall = { type: 'toolCall', id: callId, name: tool.name, arguments: args } as const;
    const assistantMessage = record.said.at(-1) ?? silent(clock.now());
    const view: CallView = { assistantMessage, toolCall, args, tool, messages: [] };
    return blockReason(await tools.before(view, live.abort.signal), tool.name);
  }
}

const blockReason = (verdict: BeforeVerdict | undefined, name: string): string | null =>
  verdict?.block ? (verdict.reason ?? `${name} was not allowed.`) : null;

const silent = (timestamp: number): AssistantMessage => ({
  role: 'assistant',
  content: [],
  api: 'program',
  provider: '',
  model: '',
  usage: noUsage,
  stopReason: 'toolUse',
  timestamp,
});
