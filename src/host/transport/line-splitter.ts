/** Splits a byte stream into lines of limited length. */

export interface LineSplitter {
  /** Returns the complete lines, or `null` if a line exceeds the limit. */
  push(chunk: Buffer): readonly string[] | null;
}

const newline = 10;

export function createLineSplitter(maxBytes: number): LineSplitter {
  let pieces: Buffer[] = [];
  let size = 0;

  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        if (size + at - from > maxBytes) return null;
        pieces.push(chunk.subarray(from, at));
        lines.push(Buffer.concat(pieces).toString('utf8'));
        pieces = [];
        size = 0;
        from = at + 1;
      }
      if (from < chunk.length) {
        size += chunk.length - from;
        if (size > maxBytes) return null;
        pieces.push(chunk.subarray(from));
      }
      return lines;
    },
  };
}
