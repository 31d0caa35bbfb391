import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '../../platform/data-folder.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { isAbout, logText, readLogLine } from '../log-lines.ts';
import { commandFailure, exitOk } from '../terminal.ts';
import { printableJson } from '../visible-text.ts';

interface LogFlags {
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly lines: string;
}

const pollMs = 200;
const rotated = 4;
const pieceBytes = 1024 * 1024;

/** Oldest first, including rotated files. */
function linesSoFar(path: string): string[] {
  const files = [...Array.from({ length: rotated }, (_, n) => `${path}.${rotated - n}`), path];
  return files.filter((file) => existsSync(file)).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
}

function printer(agent: string, json: boolean): (line: string) => string | null {
  return (text) => {
    const line = readLogLine(text);
    if (!line || (agent !== '' && !isAbout(line, agent))) return null;
    return json ? printableJson(text) : logText(line);
  };
}

/** Reads new lines of the log, and follows its rotation. */
class Follower {
  readonly #path: string;
  #inode = 0;
  #at = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
    const found = statSync(path, { throwIfNoEntry: false });
    this.#inode = found?.ino ?? 0;
    this.#at = found?.size ?? 0;
  }

  next(): string[] {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (!found) return [];
    const before = found.ino === this.#inode ? [] : this.#rotatedRest();
    if (found.ino !== this.#inode || found.size < this.#at) this.#begin(found.ino);
    return [...before, ...this.#read(this.#path, found.size)];
  }

  #begin(inode: number): void {
    this.#inode = inode;
    this.#at = 0;
    this.#rest = '';
  }

  /** The unread end of the file that was just rotated. */
  #rotatedRest(): string[] {
    const old = statSync(`${this.#path}.1`, { throwIfNoEntry: false });
    return old?.ino === this.#inode ? this.#read(`${this.#path}.1`, old.size) : [];
  }

  #read(path: string, end: number): string[] {
    const descriptor = openSync(path, 'r');
    try {
      while (this.#at < end) {
        const piece = Buffer.alloc(Math.min(pieceBytes, end - this.#at));
        const count = readSync(descriptor, piece, 0, piece.length, this.#at);
        if (count === 0) break;
        this.#at += count;
        this.#rest += piece.toString('utf8', 0, count);
      }
    } finally {
      closeSync(descriptor);
    }
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }
}

const say = (lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
};

/** Until Ctrl-C, or until the output is closed. */
async function follow(follower: Follower, print: (line: string) => string | null): Promise<void> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  process.stdout.once('error', end);
  while (!over) {
    say(follower.next().flatMap((line) => print(line) ?? []));
    await sleep(pollMs);
  }
}

async function runLogs(args: readonly string[], flags: LogFlags): Promise<number> {
  const agent = args[0] ?? '';
  const count = Number(flags.lines);
  if (!Number.isInteger(count) || count < 0)
    throw commandFailure('invalid_input', 'cliTerminal.takesWholeNumber', { flag: '--lines' });
  const home = dataFolder(process.env);
  const path = join(home, 'logs', 'host.log');
  const print = printer(agent, flags.json === true);
  const follower = new Follower(path);
  const found = linesSoFar(path).flatMap((line) => print(line) ?? []);
  if (agent !== '' && found.length === 0 && !existsSync(join(home, 'agents', agent, 'agent.yml'))) {
    throw commandFailure('not_found', 'cliLogs.noAgent', { agent }, { help: 'cliLogs.listAgents' });
  }
  say(count === 0 ? [] : found.slice(-count));
  if (found.length === 0 && !flags.follow) process.stderr.write(`${copy('cliLogs.noLines')}\n`);
  if (flags.follow) await follow(follower, print);
  return exitOk;
}

export const logsCommand = defineCommand({
  verb: '',
  args: '[agent]',
  options: [{ flags: '-f, --follow' }, { flags: '-n, --lines <number>', fallback: '100' }],
  examples: ['logs', 'logs guide -f', 'logs --json | jq \'select(.level=="error")\''],
  run: runLogs,
});
