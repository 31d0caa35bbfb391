/**
 * One output stream of a command: kept up to a limit and only counted beyond it, so that no command can fill
 * the memory.
 */

export class Output {
  /** All bytes written. */
  total = 0;
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;

  /** A UTF-16 unit takes at most four bytes. */
  constructor(maxChars: number) {
    this.#limit = maxChars * 4;
  }

  get full(): boolean {
    return this.#kept >= this.#limit;
  }

  write(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.total += bytes.length;
    const part = bytes.subarray(0, Math.max(0, this.#limit - this.#kept));
    if (part.length === 0) return;
    this.#kept += part.length;
    this.#chunks.push(Uint8Array.from(part));
  }

  /** Counts output that need not be produced, because it would not be kept. */
  skip(bytes: number): void {
    this.total += Math.max(0, bytes);
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

export interface CutStream {
  readonly text: string;
  readonly truncated: boolean;
}

const cut = (text: string, limit: number, isWhole: boolean): CutStream => {
  if (text.length <= limit) return { text, truncated: !isWhole };
  // Half a surrogate pair is not valid text.
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit;
  return { text: text.slice(0, end), truncated: true };
};

export interface StreamLimits {
  readonly maxOutputChars: number;
  readonly stdoutMaxChars: number | null;
  readonly stderrMaxChars: number | null;
}

/** If both streams are long, each gets half; a short one leaves its rest to the other (spec §5.1.8). */
export function cutStreams(
  streams: { readonly stdout: string; readonly stderr: string },
  whole: { readonly stdout: boolean; readonly stderr: boolean },
  limits: StreamLimits,
): { readonly stdout: CutStream; readonly stderr: CutStream } {
  const most = limits.maxOutputChars;
  const half = Math.floor(most / 2);
  const wanted = {
    stdout: Math.min(streams.stdout.length, limits.stdoutMaxChars ?? most),
    stderr: Math.min(streams.stderr.length, limits.stderrMaxChars ?? most),
  };
  const stdout = Math.min(wanted.stdout, Math.max(half, most - wanted.stderr));
  const stderr = Math.min(wanted.stderr, most - stdout);
  return {
    stdout: cut(streams.stdout, stdout, whole.stdout),
    stderr: cut(streams.stderr, stderr, whole.stderr),
  };
}
