/**
 * Limits of what a server may send: bytes and nesting of one message. Both are checked before anything parses
 * the message (T24).
 */
import { depthWithin } from '../../core/lib/json-depth.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** Bytes of one message: images and files in results are long. */
export const maxMessageBytes = 16 * 1024 * 1024;
/** Nesting of one message; schemas of tools need about 30. */
export const maxMessageDepth = 100;
/** Pages of one list. */
export const maxListPages = 32;
/** Entries of one list. */
export const maxListEntries = 2_000;
/** Characters of the definition of one tool, prompt or resource as JSON. */
export const maxDefinitionLength = 128 * 1024;

export class McpLimitError extends Error {
  readonly said: HostMessage;
  constructor(said: HostMessage) {
    super(said.text);
    this.name = 'McpLimitError';
    this.said = said;
  }
}

const tooLarge = () => new McpLimitError(say('mcpClient.messageTooLarge', { n: maxMessageBytes }));
const tooDeep = () => new McpLimitError(say('mcpClient.messageTooDeep', { n: maxMessageDepth }));

/** Throws `McpLimitError`. */
export function checkMessage(text: string): void {
  if (text.length >= maxMessageBytes) throw tooLarge();
  if (!depthWithin(text, maxMessageDepth)) throw tooDeep();
}

/** Checks bytes that arrive in pieces. `reset` begins the next message. */
interface StreamCheck {
  take(bytes: Uint8Array): void;
}

const [quote, backslash, newline, open, close] = [0x22, 0x5c, 0x0a, [0x5b, 0x7b], [0x5d, 0x7d]] as const;

/** With `isEventStream` each line is a message of its own. */
function createStreamCheck(isEventStream: boolean): StreamCheck {
  let [size, depth, inString, escaped] = [0, 0, false, false];
  const reset = (): void => {
    [size, depth, inString, escaped] = [0, 0, false, false];
  };
  const step = (byte: number): void => {
    if (escaped) escaped = false;
    else if (inString) {
      if (byte === backslash) escaped = true;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === open[0] || byte === open[1]) depth += 1;
    else if (byte === close[0] || byte === close[1]) depth -= 1;
  };
  return {
    take(bytes) {
      for (const byte of bytes) {
        if (isEventStream && byte === newline) {
          reset();
          continue;
        }
        size += 1;
        if (size > maxMessageBytes) throw tooLarge();
        step(byte);
        if (depth > maxMessageDepth) throw tooDeep();
      }
    },
  };
}

/** The response with a body that fails at the limit; `onLimit` hears of it. */
export function limitResponse(response: Response, onLimit: (error: McpLimitError) => void): Response {
  if (response.body === null) return response;
  const isEventStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  const check = createStreamCheck(isEventStream);
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        try {
          check.take(piece);
          controller.enqueue(piece);
        } catch (error) {
          if (error instanceof McpLimitError) onLimit(error);
          controller.error(error);
        }
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(limited, { status, statusText, headers });
}
