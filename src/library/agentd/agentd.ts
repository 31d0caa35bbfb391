/**
 * Runs the agents of a file: `kennel agentd`. A change of the file is taken over while it runs; a file with an
 * error changes nothing.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type ReactingAgent, readAgentsFile } from '../../core/agentd/agents-file.ts';
import type { AskOperator } from '../../core/agentd/file-gate.ts';
import type { McpConnector } from '../../core/mcp/mcp-ports.ts';
import type { Clock, DiskPort, Random, Timer } from '../../core/ports.ts';
import { logFolder, openConversationLog } from '../conversation-log.ts';
import type { SessionModel } from './agent-session.ts';
import { cursorFile } from './cursor-file.ts';
import { type AgentReport, type FileAgent, runAgent } from './file-agent.ts';

export type AgentdReport =
  | (AgentReport & { readonly agent: string })
  | { readonly kind: 'agents'; readonly started: readonly string[]; readonly stopped: readonly string[] }
  | { readonly kind: 'fileBroken'; readonly error: AppError };

type Variables = Readonly<Record<string, string | undefined>>;

export interface AgentdSettings {
  /** Absolute. */
  readonly file: string;
  /** Absolute; holds what the agents have handled, and their logs. */
  readonly stateFolder: string;
  readonly env: Variables;
  /** `null` leaves the subscriptions alone. */
  readonly reacting: { readonly pollMs: number; readonly debounceMs: number } | null;
  /** Only this agent of the file. */
  readonly only?: string;
}

export interface AgentdPorts {
  readonly time: { readonly clock: Clock; readonly random: Random };
  readonly disk: DiskPort;
  readonly connector: McpConnector;
  readonly model: (name: string) => Result<SessionModel>;
  readonly ask: AskOperator;
  readonly report: (report: AgentdReport) => void;
}

export interface Agentd {
  /** In the order of the file. */
  agents(): readonly FileAgent[];
  close(): Promise<void>;
}

const maxFileBytes = 1024 * 1024;
const sweepMs = 1_000;

interface Wanted {
  readonly agent: ReactingAgent;
  readonly model: SessionModel;
}

class AgentRunner implements Agentd {
  readonly #settings: AgentdSettings;
  readonly #ports: AgentdPorts;
  #running: readonly FileAgent[] = [];
  #text: string | null = null;
  #timer: Timer | null = null;
  #reloading: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(settings: AgentdSettings, ports: AgentdPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  agents(): readonly FileAgent[] {
    return this.#running;
  }

  async start(): Promise<Result<void>> {
    const started = await this.#reload();
    if (started.ok) this.#sweepLater();
    return started;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#reloading;
    await Promise.all(this.#running.map((each) => each.close()));
    this.#running = [];
  }

  #sweepLater(): void {
    if (this.#isClosed) return;
    this.#timer = this.#ports.time.clock.after(sweepMs, () => {
      this.#reloading = this.#reload()
        .then((done) => {
          if (!done.ok) this.#ports.report({ kind: 'fileBroken', error: done.error });
        })
        .finally(() => this.#sweepLater());
    });
  }

  /** Reports each error once: the text is remembered first. */
  async #reload(): Promise<Result<void>> {
    const { file, env, only } = this.#settings;
    const text = this.#ports.disk.readText(file, maxFileBytes);
    if (!text.ok) return text;
    if (text.value === null) {
      if (this.#text === '') return ok(undefined);
      this.#text = '';
      return err(fail('not_found', 'agentd.fileMissing', { path: file }));
    }
    if (text.value === this.#text) return ok(undefined);
    this.#text = text.value;
    const read = readAgentsFile(text.value, env);
    if (!read.ok) return read;
    const agents = read.value.filter(({ name }) => only === undefined || name === only);
    if (agents.length === 0) {
      const names = read.value.map(({ name }) => name).join(', ');
      return err(
        fail('not_found', 'agentd.unknownAgent', { name: only ?? '', names }, { help: 'agentd.listAgents' }),
      );
    }
    const wanted: Wanted[] = [];
    for (const agent of agents) {
      const model = this.#ports.model(agent.model);
      if (!model.ok) return model;
      wanted.push({ agent, model: model.value });
    }
    await this.#reconcile(wanted);
    return ok(undefined);
  }

  async #reconcile(wanted: readonly Wanted[]): Promise<void> {
    const key = (agent: ReactingAgent): string => JSON.stringify(agent);
    const unchanged = new Map(this.#running.map((each) => [key(each.agent), each]));
    const stopped = this.#running.filter(
      ({ agent }) => !wanted.some((each) => key(each.agent) === key(agent)),
    );
    // Before the start of their successors, which use the same state.
    await Promise.all(stopped.map((each) => each.close()));
    const started: string[] = [];
    this.#running = wanted.map(({ agent, model }) => {
      const kept = unchanged.get(key(agent));
      if (!kept) started.push(agent.name);
      return kept ?? this.#run(agent, model);
    });
    this.#ports.report({ kind: 'agents', started, stopped: stopped.map(({ agent }) => agent.name) });
  }

  #run(agent: ReactingAgent, model: SessionModel): FileAgent {
    const { time, connector, ask, report, disk } = this.#ports;
    const { stateFolder, reacting, env } = this.#settings;
    const folder = logFolder(env, `${stateFolder}/logs`);
    const deps = {
      time,
      connector,
      model,
      ask,
      report: (each: AgentReport) => report({ ...each, agent: agent.name }),
      log: folder === null ? null : openConversationLog(folder, time),
    };
    const store = cursorFile(disk, stateFolder, agent.name);
    return runAgent(agent, deps, reacting === null ? null : { ...reacting, store });
  }
}

/** Fails if the file cannot be read, has an error, or names a model without a key. */
export async function openAgentd(settings: AgentdSettings, ports: AgentdPorts): Promise<Result<Agentd>> {
  const runner = new AgentRunner(settings, ports);
  const started = await runner.start();
  if (started.ok) return ok(runner);
  await runner.close();
  return started;
}
