/**
 * The lines of a stream proxy: each `data:` line is one event, also the last one without a line end, with or without
 * blank lines between them. Capped like the event streams of others.
 */
import { defaultMaxEventLength, type SseEvent } from './sse-parser.ts';

export interface DataLines {
  push(piece: Uint8Array): readonly SseEvent[] | null;
  /** What came behind the last line end. */
  end(): readonly SseEvent[] | null;
}

export function createDataLines(max = defaultMaxEventLength): DataLines {
  const decoder = new TextDecoder();
  let rest = '';
  const read = (lines: readonly string[]): readonly SseEvent[] | null => {
    if (rest.length > max || lines.some((line) => line.length > max)) return null;
    return lines.flatMap((line) => {
      const data = /^data:[ ]?([^\r]*)/.exec(line)?.[1];
      return data ? [{ event: 'message', data, id: '' }] : [];
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
