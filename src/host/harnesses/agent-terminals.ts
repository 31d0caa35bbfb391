/** Sessions of agents' programs that persons use in terminals, each until the process that attached ends. */
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import type { HarnessCommand } from '../../core/runtimes/harness-ports.ts';
import { TerminalHold } from '../../core/runtimes/program/terminal-hold.ts';
import { processStart } from '../../platform/process-tree.ts';
import { recordFile } from '../stores/record-file.ts';

/** A program for a person's terminal, and what was opened for it. */
export interface TerminalLine extends Pick<HarnessCommand, 'argv' | 'env' | 'cwd'> {
  readonly title: string;
  /** Ends the access to models. */
  end(): Promise<void>;
}

export type Attached =
  | { readonly state: 'busy' }
  | ({ readonly state: 'ready' } & Pick<TerminalLine, 'argv' | 'env' | 'cwd' | 'title'>);

export interface AgentTerminals {
  holdOf(agentId: string): TerminalHold;
  /** `busy` while a turn is open; the agent's next turns wait already. */
  attach(agentId: string, pid: number, open: () => Promise<Result<TerminalLine>>): Promise<Result<Attached>>;
  detach(agentId: string, pid: number): Promise<void>;
  /** ms since the epoch; `null` if no terminal has or waits for the session. */
  since(agentId: string): number | null;
  /** Takes the holds of an earlier host again, whose terminals still run. */
  begin(): void;
}

const terminalsSchema = z.array(
  z.object({ agentId: z.string(), pid: z.number(), started: z.string(), since: z.number() }),
);

interface Terminal {
  readonly pid: number;
  /** Start time of the process, so that a reused pid differs. */
  readonly started: string;
  readonly since: number;
  /** Asked for once. */
  line: Promise<Result<TerminalLine>> | null;
}

const lookMs = 1_000;

const gone = () => err(fail('not_found', 'harness.unknownProcess'));

interface AgentTerminalsDeps {
  readonly clock: Clock;
  readonly disk: DiskPort;
  /** Survives the host, because a terminal does, too. */
  readonly path: string;
}

export function createAgentTerminals({ clock, disk, path }: AgentTerminalsDeps): AgentTerminals {
  const file = recordFile(disk, path, terminalsSchema);
  const holds = new Map<string, TerminalHold>();
  const terminals = new Map<string, Terminal>();
  const holdOf = (agentId: string): TerminalHold => {
    const hold = holds.get(agentId) ?? new TerminalHold();
    holds.set(agentId, hold);
    return hold;
  };
  const save = (): void => {
    const held = [...terminals].map(([agentId, { pid, started, since }]) => ({
      agentId,
      pid,
      started,
      since,
    }));
    // Without the file, only a restart of the host would not know of the terminal.
    if (held.length === 0) file.remove();
    else file.write(held);
  };
  const end = async (agentId: string, terminal: Terminal): Promise<void> => {
    if (terminals.get(agentId) !== terminal) return;
    terminals.delete(agentId);
    save();
    const line = await terminal.line;
    if (line?.ok) await line.value.end();
    holdOf(agentId).release(String(terminal.pid));
  };
  /** The process may end without a word, for example with its window. */
  const watch = (agentId: string, terminal: Terminal): void => {
    const look = (): void => {
      if (terminals.get(agentId) !== terminal) return;
      if (processStart(terminal.pid) !== terminal.started) void end(agentId, terminal);
      else clock.after(lookMs, look, { unref: true });
    };
    clock.after(lookMs, look, { unref: true });
  };
  return {
    holdOf,
    begin() {
      const held = file.read();
      for (const { agentId, ...known } of (held.ok && held.value) || []) {
        if (processStart(known.pid) !== known.started) continue;
        const terminal: Terminal = { ...known, line: null };
        terminals.set(agentId, terminal);
        // No turn is open yet, so it is taken at once.
        void holdOf(agentId).take(String(known.pid));
        watch(agentId, terminal);
      }
    },
    since: (agentId) => terminals.get(agentId)?.since ?? null,
    async attach(agentId, pid, open) {
      const started = processStart(pid);
      // Its end could not be noticed, and the agent would wait for ever.
      if (started === '') return gone();
      const taken = await holdOf(agentId).take(String(pid));
      if (taken === 'other') return err(fail('conflict', 'harness.inTerminal'));
      let terminal = terminals.get(agentId);
      if (!terminal) {
        terminal = { pid, started, since: clock.now(), line: null };
        terminals.set(agentId, terminal);
        save();
        watch(agentId, terminal);
      }
      if (taken === 'busy') return ok({ state: 'busy' });
      terminal.line ??= open();
      const opened = await terminal.line;
      if (!opened.ok) {
        await end(agentId, terminal);
        return opened;
      }
      // The terminal has ended meanwhile, and the line with it.
      if (terminals.get(agentId) !== terminal) return gone();
      const { argv, env, cwd, title } = opened.value;
      return ok({ state: 'ready', argv, env, cwd, title });
    },
    async detach(agentId, pid) {
      const terminal = terminals.get(agentId);
      if (terminal?.pid === pid) await end(agentId, terminal);
    },
  };
}
