/** A program as the host starts it, and the scripted model that it asks. */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HarnessId } from '../../src/contract/harnesses.ts';
import type { ModelChoice } from '../../src/core/models/choose-model.ts';
import type { HarnessProcess, HarnessProcessPort } from '../../src/core/runtimes/harness-ports.ts';
import type { RuntimeEvent } from '../../src/core/supervisor/runtime-port.ts';
import { openProgram, programRecipes } from '../../src/host/harnesses/cli-local.ts';
import { type ClaudeRig, type ClaudeRigOptions, claudeRig } from '../fakes/claude-rig.ts';
import { createGeminiServer } from '../fakes/gemini-server.ts';
import { createMessagesServer, hasToolResult, lastUserText } from '../fakes/messages-server.ts';
import { createResponsesServer } from '../fakes/responses-server.ts';
import { type ClaudeWall, createClaudeWall } from './claude-wall.ts';
import { reply } from './claude-world.ts';
import type { ContainerWorld } from './container-world.ts';
import { fetchHarness, type HarnessPackage } from './harness-suite.ts';

/** Abilities that some programs lack by this protocol. */
export type AcpFeature = 'hostTools' | 'rewrite' | 'steer' | 'subAgents';

export interface AcpProgram {
  readonly id: HarnessId;
  readonly package: HarnessPackage;
  readonly model: Pick<ModelChoice, 'provider' | 'adapter' | 'model'>;
  /** Tool calls of the scripted model, in the names of the program. */
  readonly calls: {
    shell(command: string): string;
    write(file: string, content: string): string;
    edit(file: string, from: string, to: string): string;
    /** For programs that only edit what they have read. */
    read?(file: string): string;
    /** A tool of the host, by the name that the program gives it. */
    host?(tool: string, input: object): string;
  };
  /** Why it cannot do something that other programs can; the cases of it are reported as not offered. */
  readonly lacks: Readonly<Partial<Record<AcpFeature, string>>>;
  /** A settings file of the workspace that allows everything; `null` if the program reads none. */
  readonly permissive: { readonly file: string; readonly text: string } | null;
  /** PATH on which the host finds it; absent: its own folder. */
  readonly path?: string;
  /** ms after its start from which a session can be resumed. */
  readonly resumesAfterMs: number;
}

export interface AcpWorld {
  readonly rig: ClaudeRig;
  readonly wall: ClaudeWall;
  /** Newest messages that the model was asked with. */
  readonly asked: () => readonly string[];
  /** The processes of the program so far. */
  readonly processes: readonly HarnessProcess[];
  /** Folder of the program inside the agent's. */
  readonly own: string;
  /** Waits until the program can resume the session. */
  resumable(): Promise<void>;
  turn(text: string, watch?: (event: RuntimeEvent) => void): Promise<RuntimeEvent | undefined>;
}

export interface AcpWorldOptions {
  readonly decide?: ClaudeRigOptions['decide'];
  readonly tools?: ClaudeRigOptions['tools'];
  /** Lines that are printed between those of the program. */
  readonly noise?: readonly string[];
  /** The program runs in a container. */
  readonly inside?: ContainerWorld;
}

/** The program in the cache, or the reason why it is missing. */
export const fetchAcp = (program: AcpProgram) => fetchHarness(program.package);

async function startModel({ model }: AcpProgram) {
  let nth = 0;
  const answer = (text: string, isResult: boolean) => {
    nth += 1;
    return reply(text, isResult, nth);
  };
  if (model.adapter === 'google') {
    const server = await createGeminiServer(({ text, isResult }) => answer(text, isResult));
    return { ...server, asked: () => server.asked.map(({ text }) => text) };
  }
  if (model.adapter === 'openai-responses') {
    const server = await createResponsesServer(({ text, isResult }) => answer(text, isResult));
    return { ...server, asked: () => server.asked.map(({ text }) => text) };
  }
  const server = await createMessagesServer((asked) => answer(lastUserText(asked), hasToolResult(asked)));
  return { ...server, asked: () => server.asked.map(({ messages }) => JSON.stringify(messages)) };
}

async function* mixed(lines: AsyncIterable<string>, noise: readonly string[]): AsyncGenerator<string> {
  for await (const line of lines) {
    yield* noise;
    yield line;
  }
}

/** Runs a case in a runtime of its own, against a model server of its own. */
export async function withAcp(
  program: AcpProgram,
  file: string,
  { decide, tools = [], noise = [], inside }: AcpWorldOptions,
  run: (world: AcpWorld) => Promise<boolean>,
): Promise<boolean> {
  const { id, model } = program;
  const recipe = programRecipes.find(({ harness }) => harness === id);
  if (!recipe) throw new Error(`there is no recipe for ${id}`);
  const server = await startModel(program);
  const wall = await createClaudeWall({
    program: file,
    modelUrl: server.url,
    other: { recipe, model },
    ...(program.path === undefined ? {} : { path: program.path }),
    ...(inside && { inside }),
  });
  const processes: HarnessProcess[] = [];
  const watched = (port: HarnessProcessPort): HarnessProcessPort => ({
    ...port,
    async start(command) {
      const started = await port.start(command);
      if (!started.ok) return started;
      processes.push(started.value);
      return { ok: true, value: { ...started.value, lines: mixed(started.value.lines, noise) } };
    },
  });
  const rig = claudeRig({
    ...(decide ? { decide } : {}),
    tools,
    ...(inside && { containers: inside.containers.executor }),
    agent: (parts) => wall.agent({ ...parts, processes: watched(parts.processes) }),
    runtime: (deps) => openProgram(id, deps),
  });
  let isFirst = true;
  const turn: AcpWorld['turn'] = async (text, watch) => {
    if (isFirst) rig.say(text);
    else rig.nextTurn(text);
    isFirst = false;
    return (await rig.run(watch)).at(-1);
  };
  try {
    const own = path.join(rig.home, 'harness', id);
    const resumable = () => pause(program.resumesAfterMs);
    return await run({ rig, wall, asked: server.asked, processes, own, resumable, turn });
  } finally {
    await rig.end();
    await wall.end();
    await server.stop();
  }
}
