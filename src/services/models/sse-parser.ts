/**
 * Parses server-sent events as the WHATWG standard says: CR, LF and CRLF, comments, a leading byte order
 * mark, UTF-8 and events split at any byte. Memory is bounded: an event over the cap ends the stream (F14).
 */

export interface SseEvent {
  readonly event: string;
  readonly data: string;
  /** The last event id so far; it stays set for later events. */
  readonly id: string;
}

export interface SseParser {
  /**
   * Takes raw bytes (or decoded text; one kind per stream) and returns completed events, or `null` once the
   * cap is exceeded.
   */
  push(piece: Uint8Array | string): readonly SseEvent[] | null;
  /** The stream's last reconnection time in ms, or `null` if none was sent. */
  retryMs(): number | null;
}

export interface SseOptions {
  /** UTF-16 units of one line, and of one event's data. */
  readonly maxEventLength?: number;
}

export const defaultMaxEventLength = 1024 * 1024;

interface State {
  event: string;
  data: string;
  hasData: boolean;
  id: string;
  retryMs: number | null;
}

export function createSseParser(options: SseOptions = {}): SseParser {
  const max = options.maxEventLength ?? defaultMaxEventLength;
  const state: State = { event: '', data: '', hasData: false, id: '', retryMs: null };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let line = '';
  let skipLineFeed = false;
  let first = true;
  let broken = false;

  const endLine = (out: SseEvent[]): void => {
    if (line === '') {
      if (state.hasData) out.push({ event: state.event || 'message', data: state.data, id: state.id });
      state.event = '';
      state.data = '';
      state.hasData = false;
    } else {
      readField(line, state);
    }
    broken ||= line.length > max || state.data.length > max;
    line = '';
  };

  /**
   * A CR that ended the previous piece may be the first half of a CRLF; a byte order mark can only start the
   * first piece.
   */
  const withoutPrefix = (input: string): string => {
    if (input === '') return input;
    const mark = first && input.startsWith('\uFEFF') ? 1 : 0;
    const half = skipLineFeed && input.startsWith('\n') ? 1 : 0;
    first = false;
    skipLineFeed = false;
    return input.slice(mark + half);
  };

  return {
    push(piece) {
      if (broken) return null;
      const text = withoutPrefix(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
      const out: SseEvent[] = [];
      let from = 0;
      for (const end of text.matchAll(/\r\n|\r|\n/g)) {
        line += text.slice(from, end.index);
        from = end.index + end[0].length;
        endLine(out);
      }
      line += text.slice(from);
      if (text !== '') skipLineFeed = text.endsWith('\r');
      broken ||= line.length > max;
      return broken ? null : out;
    },
    retryMs: () => state.retryMs,
  };
}

function readField(line: string, state: State): void {
  const colon = line.indexOf(':');
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const raw = colon < 0 ? '' : line.slice(colon + 1);
  const value = raw.startsWith(' ') ? raw.slice(1) : raw;
  if (name === 'data') {
    state.data = state.hasData ? `${state.data}\n${value}` : value;
    state.hasData = true;
  } else if (name === 'event') {
    state.event = value;
  } else if (name === 'id' && !value.includes('\0')) {
    state.id = value;
  } else if (name === 'retry' && /^[0-9]+$/.test(value)) {
    state.retryMs = Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  }
}
