/**
 * Answers the permission requests of a program. Only `once` options are chosen: standing answers are Kennel's.
 * A request that cannot be read or shown is refused.
 */
import { CallGate, type CallGateParts } from '../program/call-gate.ts';
import { toKennelAction } from './acp-calls.ts';
import { type AcpCall, type AcpPermission, readPermission } from './acp-messages.ts';
import type { AcpPermissionOutcome } from './acp-ports.ts';

const cancelled: AcpPermissionOutcome = { outcome: 'cancelled' };

export interface AcpGateCalls {
  /** Adds the earlier parts of a call to its request, and records the call. */
  asked(call: AcpCall): AcpCall;
}

export class AcpGate {
  readonly calls: CallGate;
  readonly #parts: CallGateParts;
  readonly #cwd: string;
  readonly #known: AcpGateCalls;

  constructor(parts: CallGateParts, cwd: string, known: AcpGateCalls) {
    this.calls = new CallGate(parts);
    this.#parts = parts;
    this.#cwd = cwd;
    this.#known = known;
  }

  async permission(params: unknown): Promise<AcpPermissionOutcome> {
    const request = readPermission(params);
    if (request === null) return cancelled;
    const allow = optionOf(request, 'allow_once');
    const reject = optionOf(request, 'reject_once');
    const outcome = await this.calls.answering(
      async () => ((await this.#mayRun(request.call, allow !== null)) ? allow : reject),
      () => reject,
    );
    // A stopped turn's requests are taken back; some programs wait for that.
    return outcome === null || this.#parts.live.abort.signal.aborted
      ? cancelled
      : { outcome: 'selected', optionId: outcome };
  }

  async #mayRun(asked: AcpCall, isPossible: boolean): Promise<boolean> {
    const call = this.#known.asked(asked);
    const action = toKennelAction(call, this.#cwd);
    const isAllowed =
      isPossible && action.ok && (await this.calls.whyNot(call.id, action.name, action.args)) === null;
    if (!isAllowed) this.calls.refused.add(call.id);
    return isAllowed;
  }
}

const optionOf = ({ options }: AcpPermission, kind: string): string | null =>
  options.find((one) => one.kind === kind)?.optionId ?? null;
