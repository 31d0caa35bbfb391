/**
 * The tools of the host for a program of the Agent Client Protocol. The program calls them over MCP and reports each
 * call as one of its own, too; such a report is not recorded again.
 */

import type { AgentToolResult } from '../../../contract/agent-tool-methods.ts';
import { ok, type Result } from '../../../contract/result.ts';
import type { Tool } from '../../tools/tool.ts';
import type { HostTools } from '../harness-ports.ts';
import type { CallGate, CallGateParts } from '../program/call-gate.ts';
import { hostServer, runHostTool } from '../program/host-tools.ts';
import { isOffered } from '../program/offered-tools.ts';
import type { AcpCall } from './acp-messages.ts';

type Call = Parameters<HostTools['call']>[0];

export interface AcpHostToolsParts extends CallGateParts {
  /** Records the call before it runs. */
  begin(call: Call): void;
  /** The call has its result. */
  ended(): void;
}

export class AcpHostTools implements HostTools {
  readonly #parts: AcpHostToolsParts;
  readonly #calls: CallGate;
  readonly #tools: readonly Tool[];
  readonly #running = new Map<string, AbortController>();
  /** Names of calls that the program has not reported as its own yet. */
  readonly #unreported: string[] = [];

  constructor(parts: AcpHostToolsParts, calls: CallGate) {
    this.#parts = parts;
    this.#calls = calls;
    this.#tools = parts.live.parts.kit.tools.filter(isOffered);
  }

  async list(): ReturnType<HostTools['list']> {
    return ok({
      tools: this.#tools.map(({ name, description, parameters, foreign }) => ({
        name,
        description,
        inputSchema: { ...parameters },
        readOnly: foreign === true,
      })),
    });
  }

  async call(call: Call): Promise<Result<AgentToolResult>> {
    const { callId, name } = call;
    const left = new AbortController();
    this.#running.set(callId, left);
    this.#unreported.push(name);
    const { content, isError } = await this.#calls
      .answering(
        async () => {
          this.#parts.begin(call);
          const end = await runHostTool(this.#parts, this.#calls, call, left.signal);
          const wasDenied = this.#calls.refused.has(callId);
          this.#parts.record.result({ callId, ...end, parentId: null }, wasDenied);
          return end;
        },
        () => ({ content: [{ type: 'text' as const, text: 'The call failed.' }], isError: true }),
      )
      .finally(() => {
        this.#running.delete(callId);
        this.#parts.ended();
      });
    return ok({ content: [...content], isError });
  }

  cancel(callId: string): void {
    this.#running.get(callId)?.abort();
  }

  /** Name of the tool of the host that the program says it calls; `null` for its own actions. */
  nameIn({ kind, title = '' }: AcpCall): string | null {
    if ((kind !== undefined && kind !== 'other') || !title.includes(hostServer)) return null;
    const names = this.#tools.map(({ name }) => name).filter((name) => isNamed(title, name));
    return names.toSorted((one, other) => other.length - one.length)[0] ?? null;
  }

  /** True if the host ran a call of this name that no report has been joined with. */
  takeReport(name: string): boolean {
    const at = this.#unreported.indexOf(name);
    if (at < 0) return false;
    this.#unreported.splice(at, 1);
    return true;
  }
}

/** Programs write `puffo_NAME`, `puffo.NAME`, or `NAME (puffo MCP Server)`. */
const isNamed = (title: string, name: string): boolean =>
  title
    .split(/[^A-Za-z0-9_]+/)
    .some(
      (word) =>
        word === name || word.endsWith(`${hostServer}_${name}`) || word.endsWith(`${hostServer}__${name}`),
    );
