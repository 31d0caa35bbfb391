import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentdReport, StartOptions } from '../../library/agentd/start.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import { Repl, reportAsJson } from '../agentd/repl.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { jsonText } from '../json-text.ts';
import { CommandFailure, commandFailure, exitOk } from '../terminal.ts';
import { printable } from '../visible-text.ts';

interface AgentdFlags {
  readonly pollInterval: string;
  readonly json?: boolean;
}

interface ReplFlags {
  readonly config: string;
}

/** ms in which further changes of the same burst arrive. */
const debounceMs = 500;
const keptLines = 1_000;

function pollMs(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0.1 && seconds <= 86_400) return seconds * 1_000;
  throw commandFailure('invalid_input', 'cliAgentd.wrongSeconds');
}

const historyFile = (home: string): string => path.join(home, 'agentd', 'history');

function readHistory(home: string): readonly string[] {
  try {
    return readFileSync(historyFile(home), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Only the owner reads what was typed. A history that cannot be written is not kept. */
function saveHistory(home: string, lines: readonly string[]): void {
  try {
    mkdirSync(path.dirname(historyFile(home)), { recursive: true, mode: 0o700 });
    writeFileSync(historyFile(home), `${lines.slice(0, keptLines).join('\n')}\n`, { mode: 0o600 });
    chmodSync(historyFile(home), 0o600);
  } catch {
    // the prompt goes on
  }
}

/** Aborts with the first signal that ends a program. */
function endSignal(): AbortSignal {
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => ending.abort());
  return ending.signal;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

type Wanted = Pick<StartOptions, 'file' | 'reacting'> & { readonly only?: string };

interface Shown {
  /** Messages are read from the terminal, or from a pipe if `readsPipe`. */
  readonly readsPipe: boolean;
  readonly json: boolean;
}

async function runAgents(wanted: Wanted, { readsPipe, json }: Shown, version: string): Promise<number> {
  const { startAgentd } = await import('../../library/agentd/start.ts');
  const home = dataFolder(process.env);
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true && !json;
  const repl = new Repl({
    input: process.stdin,
    output: process.stdout,
    isTerminal,
    history: isTerminal ? readHistory(home) : [],
    saveHistory: (lines) => saveHistory(home, lines),
  });
  const printJson = (report: AgentdReport): void => {
    const shown = reportAsJson(report);
    if (shown) process.stdout.write(`${jsonText(shown)}\n`);
  };
  const started = await startAgentd({
    ...wanted,
    dataFolder: home,
    env: process.env,
    version,
    ask: repl.ask,
    report: json ? printJson : repl.report,
  });
  if (!started.ok) throw new CommandFailure(started.error);
  const agentd = started.value;
  const signal = endSignal();
  try {
    if (!json) {
      const agents = agentd.agents().map(({ agent }) => agent.name);
      process.stdout.write(`${printable(copy('cliAgentd.ready', { agents: agents.join(', ') }))}\n`);
    }
    if (isTerminal || readsPipe) await repl.run(agentd, signal);
    else await untilAborted(signal);
  } finally {
    await agentd.close();
  }
  // A terminal or a pipe that is still open would keep this process alive.
  process.stdin.destroy();
  return exitOk;
}

export const agentdCommand = defineCommand<AgentdFlags>({
  verb: '',
  args: '<file>',
  options: [{ flags: '--poll-interval <seconds>', fallback: '5' }],
  examples: ['agentd news.yaml', 'agentd news.yaml --poll-interval 60', 'agentd news.yaml --json'],
  run: ([file = ''], { pollInterval, json = false }, version) =>
    runAgents(
      { file, reacting: { pollMs: pollMs(pollInterval), debounceMs } },
      { readsPipe: false, json },
      version,
    ),
});

export const replCommand = defineCommand<ReplFlags>({
  verb: '',
  args: '<name>',
  options: [{ flags: '--config <file>', fallback: 'agentd.yaml' }],
  examples: ['repl news_agent', 'repl news_agent --config news.yaml', 'agentd news.yaml'],
  run: ([only = ''], { config }, version) =>
    runAgents({ file: config, only, reacting: null }, { readsPipe: true, json: false }, version),
});
