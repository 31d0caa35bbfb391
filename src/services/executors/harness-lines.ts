/** Splits the output of a program into lines, with at most `maxBytes` of one line in memory. */
const newline = 0x0a;

export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<string, void, void> {
  let pieces: Buffer[] = [];
  let size = 0;
  const keep = (piece: Buffer): void => {
    const part = piece.subarray(0, maxBytes - size);
    if (part.length === 0) return;
    pieces.push(part);
    size += part.length;
  };
  const take = (): string => {
    const line = (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))?.toString('utf8') ?? '';
    pieces = [];
    size = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at));
      from = at + 1;
      yield take();
    }
    keep(chunk.subarray(from));
  }
  if (size > 0) yield take();
}
