/**
 * A host whose agents run programs, and random SIGKILLs of the host, of a program or of one of its children.
 * After each kill every message has one answer, and no process of an earlier host is left.
 */
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { gemini } from '../conformance/acp-programs.ts';
import { claudeCodePackage } from '../conformance/claude-code.ts';
import { fetchHarness } from '../conformance/harness-suite.ts';
import { createGeminiServer } from '../fakes/gemini-server.ts';
import { createMessagesServer, lastUserText, type ServedReply } from '../fakes/messages-server.ts';
import { serveOnLoopback } from '../fakes/on-loopback.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import type { Desk } from './desk.ts';
import { Conversation, until } from './invariants.ts';

/** An agent of the demo, and the program that it runs. */
export interface StormAgent {
  readonly agent: string;
  readonly provider: 'anthropic' | 'google';
  readonly model: string;
  /** Address of its scripted model. */
  readonly baseUrl: string;
  /** Text of a message that the program answers with `answer`. */
  message(answer: string): string;
}

export type Victim = 'host' | 'program' | 'child';

export interface StormFigures {
  readonly kills: Record<Victim, number>;
  /** Kills that hit a turn before its answer was stored. */
  midTurn: number;
  messages: number;
  /** Longest time in ms until no process of a killed host was left. */
  longestOrphanMs: number;
}

/** A process that carries the marker of a program. */
interface Marked {
  readonly pid: number;
  readonly marker: string;
}

const markerOf = /(?:^|\0)KENNEL_RUN=(harness:[^\0]*)/;

/** Processes of agent programs whose environment names the folder. */
function markedBelow(home: string): readonly Marked[] {
  return readdirSync('/proc').flatMap((name): Marked[] => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const marker = markerOf.exec(environ)?.[1];
      return marker !== undefined && environ.includes(home) ? [{ pid, marker }] : [];
    } catch {
      return [];
    }
  });
}

/** Links or copies Node beside a program, because a wall shows only that folder. */
function installScript(bin: string, name: string, script: string, start: 'exec ' | ''): void {
  copyFileSync(path.join(import.meta.dirname, '../fakes', script), path.join(bin, script));
  const program = path.join(bin, name);
  // Without `exec` the shell stays, as an adapter with a child does.
  writeFileSync(program, `#!/bin/sh\n${start}"${bin}/fake-node" "${bin}/${script}" "$@"\n`);
  chmodSync(program, 0o755);
}

/** A home folder of a person with these commands on the PATH of the login shell. */
export function installPrograms(userHome: string, real: Readonly<Record<string, string>> = {}): void {
  const bin = path.join(userHome, 'bin');
  mkdirSync(path.join(userHome, '.claude'), { recursive: true });
  mkdirSync(bin, { recursive: true });
  try {
    linkSync(process.execPath, path.join(bin, 'fake-node'));
  } catch {
    copyFileSync(process.execPath, path.join(bin, 'fake-node'));
  }
  installScript(bin, 'claude', 'fake-claude.ts', 'exec ');
  installScript(bin, 'gemini', 'fake-acp.ts', '');
  const folders = [...new Set(Object.values(real).map((program) => path.dirname(program)))];
  writeFileSync(
    path.join(userHome, '.profile'),
    `PATH="${[...folders, bin].join(':')}:$PATH"\nexport PATH\n`,
  );
}

/** The fakes ask no model, but an agent of Gemini needs one. */
export async function fakeAgents(): Promise<{
  readonly agents: readonly StormAgent[];
  end(): Promise<void>;
}> {
  const server = await serveOnLoopback((_, response) => void response.writeHead(404).end());
  const script = (answer: string): string => `wait 120\nsay ${answer}`;
  const shared = { model: 'scripted', baseUrl: server.url, message: script };
  return {
    agents: [
      { ...shared, agent: 'guide', provider: 'anthropic' },
      { ...shared, agent: 'checker', provider: 'google' },
    ],
    end: () => server.stop(),
  };
}

/** The real programs, where they are or can be installed, each with a scripted model. */
export async function realAgents(): Promise<
  | { readonly skipped: string }
  | {
      readonly agents: readonly StormAgent[];
      readonly programs: Readonly<Record<string, string>>;
      end(): Promise<void>;
    }
> {
  const [claude, other] = [fetchHarness(claudeCodePackage), fetchHarness(gemini.package)];
  if ('skipped' in claude) return claude;
  if ('skipped' in other) return other;
  const reply = (asked: string): ServedReply => ({
    blocks: [{ text: asked.match(/answer-\w+-\d+\./g)?.at(-1) ?? 'none' }],
    afterMs: 200,
  });
  const messages = await createMessagesServer((asked) => reply(lastUserText(asked)));
  const google = await createGeminiServer(({ text }) => reply(text));
  const message = (answer: string): string => `Say ${answer}`;
  return {
    agents: [
      { agent: 'guide', provider: 'anthropic', model: 'claude-sonnet-4-5', baseUrl: messages.url, message },
      { agent: 'checker', provider: 'google', model: 'gemini-2.5-pro', baseUrl: google.url, message },
    ],
    programs: { claude: claude.program, gemini: other.program },
    async end() {
      await messages.stop();
      await google.stop();
    },
  };
}

export class ProgramStorm {
  readonly desk: Desk;
  readonly figures: StormFigures = {
    kills: { host: 0, program: 0, child: 0 },
    midTurn: 0,
    messages: 0,
    longestOrphanMs: 0,
  };
  readonly #agents: readonly StormAgent[];
  readonly #random: ReturnType<typeof createSeededRandom>;
  readonly #talks = new Map<string, Conversation>();

  constructor(desk: Desk, agents: readonly StormAgent[], seed: number) {
    this.desk = desk;
    this.#agents = agents;
    this.#random = createSeededRandom(seed);
  }

  get #userHome(): string {
    return path.join(this.desk.home, 'person');
  }

  async start(real: Readonly<Record<string, string>> = {}): Promise<void> {
    installPrograms(this.#userHome, real);
    await this.#startHost();
    for (const { agent, provider, model, baseUrl } of this.#agents) {
      await this.desk.door.call('agents.setRuntime', {
        agent,
        kind: 'cli-local',
        provider,
        model,
        baseUrl,
        harness: '',
      });
      this.#talks.set(agent, new Conversation(agent));
    }
  }

  async #startHost(): Promise<void> {
    await this.desk.start({ env: { HOME: this.#userHome, SHELL: '/bin/sh' } });
  }

  /** A message to each agent, one kill at a random moment, and what must hold afterwards. */
  async round(number: number): Promise<void> {
    const sent = new Map<string, { readonly id: string; readonly answer: string }>();
    for (const { agent, message } of this.#agents) {
      const answer = `answer-${agent}-${number}.`;
      const { messageId } = await this.desk.door.call('chat.send', { to: agent, text: message(answer) });
      sent.set(agent, { id: messageId, answer });
      this.figures.messages += 1;
    }
    const victim = this.#pick<Victim>(['host', 'program', 'program', 'child']);
    await new Promise((resolve) => setTimeout(resolve, this.#random.fraction() * 700));
    await this.#kill(victim);
    for (const [agent, { id, answer }] of sent) await this.#answeredOnce(agent, id, answer, number);
  }

  async #kill(victim: Victim): Promise<void> {
    const before = markedBelow(this.desk.home);
    this.figures.kills[victim] += 1;
    if (before.length > 0) this.figures.midTurn += 1;
    if (victim !== 'host') {
      const leaders = new Set((await this.#ledger()).map(({ pid }) => pid));
      const fits = before.filter(({ pid }) => leaders.has(pid) === (victim === 'program'));
      const chosen = this.#pick(fits.length > 0 ? fits : before);
      if (chosen) process.kill(chosen.pid, 'SIGKILL');
      return;
    }
    await this.desk.end();
    const killedAt = performance.now();
    await this.#startHost();
    const old = new Set(before.map(({ marker }) => marker));
    await until('the processes of the killed host to end', () =>
      markedBelow(this.desk.home).every(({ marker }) => !old.has(marker)),
    );
    this.figures.longestOrphanMs = Math.max(this.figures.longestOrphanMs, performance.now() - killedAt);
  }

  async #ledger() {
    return (await this.desk.door.call('harnesses.processes', {})).processes;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random.fraction() * items.length)] as Item;
  }

  async #answeredOnce(agent: string, id: string, answer: string, round: number): Promise<void> {
    const talk = this.#talks.get(agent) ?? new Conversation(agent);
    const found = await until(
      `an answer of ${agent} in round ${round}`,
      async () => {
        await this.#allowAll();
        const history = await talk.history(this.desk.door);
        const answers = history.filter(({ own, threadRootId }) => !own && threadRootId === id);
        return answers.length > 0 && answers;
      },
      90_000,
    ).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await this.#evidence()}`);
    });
    expect(
      found.map(({ text }) => text),
      `I1, I2: ${agent}, round ${round}`,
    ).toEqual([answer]);
  }

  /** Explains a failed round. */
  async #evidence(): Promise<string> {
    const { agents } = await this.desk.door.call('agents.list', {});
    const log = readFileSync(path.join(this.desk.home, 'logs', 'host.log'), 'utf8');
    const states = agents.map(({ id, life, dot, activity, error }) => ({ id, life, dot, activity, error }));
    return [JSON.stringify(states), JSON.stringify(await this.#ledger()), ...log.split('\n').slice(-30)].join(
      '\n',
    );
  }

  /** Trust in programs where no wall holds them. */
  async #allowAll(): Promise<void> {
    const { approvals } = await this.desk.door.call('approvals.list', {});
    for (const { id, digest } of approvals)
      await this.desk.door.tryCall('approvals.decide', {
        id,
        digest,
        answer: { type: 'allow', scope: 'once' },
        surface: 'terminal',
      });
  }

  /** Nothing is shown twice, all files are intact, and a stopped host leaves no process. */
  async end(): Promise<void> {
    for (const talk of this.#talks.values()) {
      const ids = (await talk.history(this.desk.door)).map(({ id }) => id);
      expect(new Set(ids).size, 'I2: shown twice').toBe(ids.length);
    }
    await this.desk.end('SIGTERM');
    await until('no process after the stop', () => markedBelow(this.desk.home).length === 0, 2_000);
  }
}
