/**
 * Connects to a program by the Agent Client Protocol. Lines that are no messages are skipped: programs and what
 * they start print. Messages come from an untrusted program, so each is checked for depth; core checks the rest.
 */
import { type AnyMessage, client, methods, RequestError } from '@agentclientprotocol/sdk';
import { isRecord } from '../../contract/is-record.ts';
import { depthWithin } from '../../core/lib/json-depth.ts';
import { parseSafeJson } from '../../core/lib/safe-json.ts';
import type { AcpAnswer, AcpHandlers, ConnectAcp } from '../../core/runtimes/acp/acp-ports.ts';
import type { HarnessProcess } from '../../core/runtimes/harness-ports.ts';

const maxDepth = 64;

export const connectAcp: ConnectAcp = (process, handlers) => {
  const unparsed = (params: unknown): unknown => params;
  const { agent, closed, signal } = client({ name: 'kennel' })
    .onRequest(methods.client.session.requestPermission, unparsed, async ({ params }) => ({
      outcome: await handlers.permission(params),
    }))
    .onNotification('*', () => undefined)
    .connect({ readable: messagesOf(process, handlers), writable: linesTo(process) });
  return {
    closed,
    async request(method, params) {
      if (signal.aborted) return gone;
      try {
        return { ok: true, value: await agent.request<unknown, object>(method, params) };
      } catch (error) {
        return refusalOf(error);
      }
    },
    cancel(sessionId) {
      agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);
    },
  };
};

const gone: AcpAnswer = { ok: false, error: { code: 0, message: 'The program has ended.' } };

/** `details` holds the reason of errors that are only called internal. */
function refusalOf(error: unknown): AcpAnswer {
  if (!(error instanceof RequestError)) return gone;
  const details = Object(error.data).details;
  const message = typeof details === 'string' ? `${error.message}: ${details}` : error.message;
  return { ok: false, error: { code: error.code, message } };
}

function messagesOf(
  { lines }: Pick<HarnessProcess, 'lines'>,
  { update }: Pick<AcpHandlers, 'update'>,
): ReadableStream<AnyMessage> {
  return new ReadableStream<AnyMessage>({
    async start(controller) {
      try {
        for await (const line of lines) {
          const message = readMessage(line);
          if (message === null) continue;
          // The library would print and drop updates of later versions, and could deliver one after the end.
          if ('method' in message && message.method === methods.client.session.update) update(message.params);
          else controller.enqueue(message);
        }
      } catch {
        // A broken pipe ends the process.
      }
      controller.close();
    },
  });
}

/** `null` for a line that is no JSON-RPC message, and for the answer to a request that cannot be ours. */
function readMessage(line: string): AnyMessage | null {
  if (!line.startsWith('{') || !depthWithin(line, maxDepth)) return null;
  try {
    const message = parseSafeJson(line);
    const isMessage =
      isRecord(message) &&
      message.jsonrpc === '2.0' &&
      (typeof message.method === 'string' || typeof message.id === 'number');
    return isMessage ? (message as AnyMessage) : null;
  } catch {
    return null;
  }
}

const linesTo = (process: Pick<HarnessProcess, 'write'>): WritableStream<AnyMessage> =>
  new WritableStream({ write: (message) => process.write(JSON.stringify(message)) });
