/**
 * Answers the requests of a running Claude Code: its own actions and the tools of the host, both behind the
 * approval gate with the arguments in Kennel's form. Whatever cannot be read or shown is refused.
 */
import { errorText } from '../../../contract/errors.ts';
import { CallGate, type CallGateParts } from '../program/call-gate.ts';
import { runHostTool } from '../program/host-tools.ts';
import { isHostTool, toKennelCall } from './claude-calls.ts';
import type { ClaudeEvent } from './claude-events.ts';
import { answerMcp } from './claude-host-tools.ts';
import { allowLine, denyLine, mcpLine, refuseLine } from './claude-requests.ts';

type Permission = Extract<ClaudeEvent, { type: 'permission' }>;
type McpRequest = Extract<ClaudeEvent, { type: 'mcp' }>;

export class ClaudeGate {
  readonly #parts: CallGateParts;
  readonly #write: (line: string) => void;
  readonly calls: CallGate;
  /** Ids of requests that the program withdrew. */
  readonly #cancelled = new Set<string>();

  constructor(parts: CallGateParts, write: (line: string) => void) {
    this.#parts = parts;
    this.#write = write;
    this.calls = new CallGate(parts);
  }

  cancelled(requestId: string): void {
    this.#cancelled.add(requestId);
  }

  async permission(asked: Permission): Promise<void> {
    const { requestId, tool, input, callId } = asked;
    await this.#answer(requestId, async () => {
      // The call itself asks, with the arguments that the host gets.
      if (isHostTool(tool)) return allowLine(requestId, input);
      const call = toKennelCall(tool, input);
      this.#parts.live.steps.begin(callId, call.name, call.ok ? call.args : input);
      const reason = call.ok ? await this.calls.whyNot(callId, call.name, call.args) : call.reason;
      if (reason === null) return allowLine(requestId, input);
      this.calls.refused.add(callId);
      return denyLine(requestId, reason);
    });
  }

  async mcp({ requestId, message }: McpRequest): Promise<void> {
    const { tools } = this.#parts.live.parts.kit;
    await this.#answer(requestId, async () =>
      mcpLine(
        requestId,
        await answerMcp(message, tools, (call) => runHostTool(this.#parts, this.calls, call)),
      ),
    );
  }

  async #answer(requestId: string, work: () => Promise<string>): Promise<void> {
    const refuse = (error: unknown): string => refuseLine(requestId, errorText(error));
    const line = await this.calls.answering(work, refuse);
    if (!this.#cancelled.has(requestId)) this.#write(line);
  }
}
