/**
 * Matches untrusted regular expressions in time linear in the text (T25): it follows all paths through the
 * pattern at once and never backtracks. Look-around, back-references and oversized patterns are refused;
 * nothing throws. No code is generated: the engine of the language only sees one character at a time.
 */

/** One step of a pattern; numbers are indexes in the program. */
type Step =
  | { readonly kind: 'char'; fits(char: string): boolean }
  | { readonly kind: 'split'; readonly to: readonly number[] }
  | { readonly kind: 'assert'; holds(before: string | undefined, after: string | undefined): boolean }
  | { readonly kind: 'match' };

type Node =
  | { readonly kind: 'leaf'; readonly step: Extract<Step, { kind: 'char' | 'assert' }> }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly branches: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number };

export type Program = readonly Step[];

/** Remaining work budget, shared by all patterns of a caller. */
export interface PatternWork {
  left: number;
}

const maxSource = 2_000;
const maxSteps = 5_000;
const maxDepth = 100;

class Refused extends Error {}

const isWord = (char: string | undefined): boolean => char !== undefined && /^[A-Za-z0-9_]$/.test(char);

/** Reads a pattern that is valid under the `u` flag. */
class Reader {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Node {
    const node = this.#either();
    if (this.#at < this.#source.length) throw new Refused();
    return node;
  }

  #either(): Node {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new Refused();
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    this.#depth -= 1;
    return branches.length === 1 && branches[0] ? branches[0] : { kind: 'either', branches };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !/^[|)]/.test(this.#rest())) parts.push(this.#quantified());
    return { kind: 'sequence', parts };
  }

  #quantified(): Node {
    const part = this.#atom();
    const found = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#rest());
    if (!found) return part;
    const [text, from, comma, to] = found;
    this.#at += text.length;
    if (from === undefined) {
      const min = text.startsWith('+') ? 1 : 0;
      return { kind: 'repeat', part, min, max: text.startsWith('?') ? 1 : Number.POSITIVE_INFINITY };
    }
    const open = to === '' ? Number.POSITIVE_INFINITY : Number(to);
    return { kind: 'repeat', part, min: Number(from), max: comma === undefined ? Number(from) : open };
  }

  #atom(): Node {
    if (this.#take('(')) return this.#group();
    const asserted = this.#assertion();
    if (asserted) return { kind: 'leaf', step: { kind: 'assert', holds: asserted } };
    const source = this.#one();
    if (/^[^\\[.]$/u.test(source)) return leaf((char) => char === source);
    const one = new RegExp(`^${source}$`, 'u');
    return leaf((char) => one.test(char));
  }

  #group(): Node {
    const opening = /^\?(?::|<[^=!>][^>]*>)/.exec(this.#rest());
    if (opening) this.#at += opening[0].length;
    else if (this.#rest().startsWith('?')) throw new Refused();
    const inside = this.#either();
    if (!this.#take(')')) throw new Refused();
    return inside;
  }

  #assertion(): Extract<Step, { kind: 'assert' }>['holds'] | null {
    if (this.#take('^')) return (before) => before === undefined;
    if (this.#take('$')) return (_before, after) => after === undefined;
    if (this.#take('\\b')) return (before, after) => isWord(before) !== isWord(after);
    if (this.#take('\\B')) return (before, after) => isWord(before) === isWord(after);
    return null;
  }

  /** Source of a single-character element: a character, an escape or a class. */
  #one(): string {
    const found =
      /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\[pPu]\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[A-Za-z]|\\[^1-9k]|[^\\])/u.exec(
        this.#rest(),
      );
    if (!found) throw new Refused();
    this.#at += found[0].length;
    return found[0];
  }

  #rest(): string {
    return this.#source.slice(this.#at);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

const leaf = (fits: (char: string) => boolean): Node => ({ kind: 'leaf', step: { kind: 'char', fits } });

function emit(node: Node, out: Step[]): void {
  if (out.length > maxSteps) throw new Refused();
  switch (node.kind) {
    case 'leaf':
      out.push(node.step);
      return;
    case 'sequence':
      for (const part of node.parts) emit(part, out);
      return;
    case 'either':
      emitEither(node.branches, out);
      return;
    case 'repeat':
      emitRepeat(node, out);
  }
}

/** Reserves a step whose targets are known only after the next steps are emitted. */
function reserve(out: Step[]): (to: readonly number[]) => void {
  const at = out.push({ kind: 'split', to: [] }) - 1;
  return (to) => {
    out[at] = { kind: 'split', to };
  };
}

function emitEither(branches: readonly Node[], out: Step[]): void {
  const choose = reserve(out);
  const starts: number[] = [];
  const ends = branches.map((branch) => {
    starts.push(out.length);
    emit(branch, out);
    return reserve(out);
  });
  choose(starts);
  for (const end of ends) end([out.length]);
}

function emitRepeat({ part, min, max }: Extract<Node, { kind: 'repeat' }>, out: Step[]): void {
  // Also for an empty part, because counting is work, too.
  if (min > maxSteps || (max > maxSteps && max !== Number.POSITIVE_INFINITY)) throw new Refused();
  for (let i = 0; i < min; i += 1) emit(part, out);
  if (max === Number.POSITIVE_INFINITY) {
    const start = out.length;
    const loop = reserve(out);
    emit(part, out);
    reserve(out)([start]);
    loop([start + 1, out.length]);
    return;
  }
  for (let i = min; i < max; i += 1) {
    const skip = reserve(out);
    const inside = out.length;
    emit(part, out);
    skip([inside, out.length]);
  }
}

/** `null` if the pattern is invalid or refused. */
export function compilePattern(source: string): Program | null {
  if (source.length > maxSource) return null;
  try {
    // Only validates; never used for matching.
    new RegExp(source, 'u');
    const out: Step[] = [];
    emit(new Reader(source).whole(), out);
    out.push({ kind: 'match' });
    return out.length > maxSteps ? null : out;
  } catch (error) {
    if (error instanceof Refused || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether `program` matches anywhere in `text`, like `RegExp.test`; `null` if `work` is used up first. */
export function patternFits(program: Program, text: string, work: PatternWork): boolean | null {
  const chars = [...text];
  /** Text position at which each step was last visited. */
  const seen = new Int32Array(program.length).fill(-1);
  let current: readonly number[] = [];
  for (let at = 0; at <= chars.length; at += 1) {
    const place = { at, before: chars[at - 1], after: chars[at], seen };
    const next = follow(program, current, place, work);
    if (!Array.isArray(next)) return next;
    current = next;
  }
  return false;
}

interface Place {
  readonly at: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly seen: Int32Array;
}

/** Steps that wait for the next character; `true` for a match, `null` if `work` is used up. */
function follow(
  program: Program,
  from: readonly number[],
  place: Place,
  work: PatternWork,
): number[] | true | null {
  const { at, before, after, seen } = place;
  const next: number[] = [];
  // A match may start anywhere; the order does not matter for a boolean result.
  const open = [...from, 0];
  for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
    const step = program[pc];
    if (seen[pc] === at || !step) continue;
    seen[pc] = at;
    work.left -= 1;
    if (work.left < 0) return null;
    if (step.kind === 'match') return true;
    if (step.kind === 'split') open.push(...step.to);
    else if (step.kind === 'assert') open.push(...(step.holds(before, after) ? [pc + 1] : []));
    else if (after !== undefined && step.fits(after)) next.push(pc + 1);
  }
  return next;
}
