/**
 * Splits the stream of a proxy into lines: each `data:` line is one event, including a last line without a
 * line end, with or without blank lines between them. Events are capped like those of other streams.
 */
import { defaultMaxEventLength, type SseEvent } from './sse-parser.ts';

export interface DataLines {
  push(piece: Uint8Array): readonly SseEvent[] | null;
  /** Returns the event after the last line end, if any. */
  end(): readonly SseEvent[] | null;
}

export function createDataLines(max = defaultMaxEventLength): DataLines {
  const decoder = new TextDecoder();
  let rest = '';
  const read = (lines: readonly string[]): readonly SseEvent[] | null => {
    if (rest.length > max || lines.some((line) => line.length > max)) return null;
    return lines.flatMap((line) => {
      const data = /^data:[ ]?([^\r]*)/.exec(line)?.[1];
      return data ? [{ event: 'message', data }] : [];
    });
  };
  return {
    push(piece) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      return read(lines);
    },
    end() {
      const last = rest + decoder.decode();
      rest = '';
      return read([last]);
    },
  };
}
