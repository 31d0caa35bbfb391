// Input of the agent prompt: messages of one or several lines, and commands.

export type ReplInput =
  | { readonly kind: 'more' }
  | { readonly kind: 'nothing' | 'quit' | 'help' | 'agents' | 'tools' }
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'message'; readonly text: string };

export const replCommands = ['/agent', '/agents', '/help', '/tools', 'quit'] as const;

const block = '"""';

function readWhole(text: string): ReplInput {
  const line = text.trim();
  if (line === '') return { kind: 'nothing' };
  if (/^\/?(?:quit|exit)$/i.test(line)) return { kind: 'quit' };
  if (line === '/help' || line === '/agents' || line === '/tools')
    return { kind: line.slice(1) as 'help' | 'agents' | 'tools' };
  const [, name] = /^\/agent\s+(\S+)$/.exec(line) ?? [];
  if (name !== undefined) return { kind: 'agent', name };
  return line.startsWith('/') && !line.includes(' ')
    ? { kind: 'help' }
    : { kind: 'message', text: text.trim() };
}

/** Collects lines: one that ends in a backslash continues, and `"""` encloses several lines. */
export class ReplLines {
  #lines: string[] = [];
  #inBlock = false;

  get isOpen(): boolean {
    return this.#inBlock || this.#lines.length > 0;
  }

  drop(): void {
    this.#lines = [];
    this.#inBlock = false;
  }

  add(line: string): ReplInput {
    if (line.trim() === block) {
      const text = this.#lines.join('\n');
      const isEnd = this.#inBlock;
      this.drop();
      if (isEnd) return text.trim() === '' ? { kind: 'nothing' } : { kind: 'message', text };
      this.#inBlock = true;
      return { kind: 'more' };
    }
    if (this.#inBlock || line.endsWith('\\')) {
      this.#lines.push(this.#inBlock ? line : line.slice(0, -1));
      return { kind: 'more' };
    }
    const lines = [...this.#lines, line];
    this.drop();
    return lines.length > 1 ? { kind: 'message', text: lines.join('\n') } : readWhole(line);
  }
}

/** Candidates for the start of a line, for the completion of readline. */
export function completeLine(line: string, agents: readonly string[]): readonly [string[], string] {
  const [, start] = /^\/agent\s+(\S*)$/.exec(line) ?? [];
  const candidates = start === undefined ? replCommands : agents.map((name) => ['/agent', name].join(' '));
  return [candidates.filter((each) => each.startsWith(line.trimStart())), line];
}
