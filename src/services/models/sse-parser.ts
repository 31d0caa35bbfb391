/**
 * Server-sent events, parsed by `eventsource-parser`. This module decodes the bytes, which may be split
 * anywhere, and ends a stream with a line or an event over the cap (F14).
 */
import { createParser, type EventSourceParser } from 'eventsource-parser';

export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

export interface SseParser {
  /** Returns the completed events, or `null` once the cap is exceeded. */
  push(piece: Uint8Array): readonly SseEvent[] | null;
}

export const defaultMaxEventLength = 1024 * 1024;

/** `max` is in UTF-16 units, of one line and of one event's data. */
export function createSseParser(max = defaultMaxEventLength): SseParser {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let events: SseEvent[] = [];
  let lineLength = 0;
  let exceeded = false;
  const parser = createParser({
    maxBufferSize: max,
    onEvent: ({ event = 'message', data }) => {
      exceeded ||= data.length > max;
      events.push({ event, data });
    },
  });
  return {
    push(piece) {
      if (exceeded) return null;
      const text = decoder.decode(piece, { stream: true });
      events = [];
      parser.feed(text);
      // The library discards lines of unknown fields without counting them.
      const lineEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
      lineLength = lineEnd < 0 ? lineLength + text.length : text.length - lineEnd - 1;
      exceeded ||= lineLength > max || isTerminated(parser);
      return exceeded ? null : events;
    },
  };
}

/**
 * The library refuses input once `maxBufferSize` is exceeded. Its error callback would say so, too, but builds
 * an error for each unknown field, which makes a hostile stream 50 times slower.
 */
function isTerminated(parser: EventSourceParser): boolean {
  try {
    parser.feed('');
    return false;
  } catch {
    return true;
  }
}
