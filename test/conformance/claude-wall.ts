/** Claude Code as the host starts it: inside a wall, and with a model only through the relay of the host. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HarnessView } from '../../src/contract/harnesses.ts';
import { customHarness } from '../../src/contract/harnesses.ts';
import { ok } from '../../src/contract/result.ts';
import { agentConfigSchema } from '../../src/core/agents/agent-config.ts';
import type { ModelChoice } from '../../src/core/models/choose-model.ts';
import { createProviderGate } from '../../src/core/models/provider-gate.ts';
import type { HarnessContainer } from '../../src/core/runtimes/harness-ports.ts';
import type { ProgramAgentPort } from '../../src/core/runtimes/program/program-ports.ts';
import { createAgentFolders } from '../../src/host/fleet/agent-folders.ts';
import type { AgentContainers } from '../../src/host/harnesses/agent-containers.ts';
import { claudeRecipe } from '../../src/host/harnesses/claude-recipe.ts';
import { findCommand } from '../../src/host/harnesses/find-harnesses.ts';
import { createProgramAgent } from '../../src/host/harnesses/program-agent.ts';
import type { ProgramRecipe } from '../../src/host/harnesses/program-recipe.ts';
import { turnTools } from '../../src/host/mcp/turn-tools.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { createDisk } from '../../src/services/disk/disk.ts';
import { findBubblewrap } from '../../src/services/executors/bubblewrap.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { detectHarness } from '../../src/services/harnesses/detect-harnesses.ts';
import { createToolServer } from '../../src/services/mcp/mcp-http.ts';
import { createModelRelays } from '../../src/services/models/relay/model-relay.ts';
import type { ClaudeRigParts } from '../fakes/claude-rig.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';

/** The key of the provider, which only the host may know. */
export const realKey = 'sk-real-0123456789abcdef';

export interface ClaudeWall {
  agent(parts: ClaudeRigParts): ProgramAgentPort;
  /** A folder of the operator that no agent was given, with a file `secret.txt`. */
  readonly outside: string;
  /** A port of this computer that accepts connections. */
  readonly openPort: number;
  end(): Promise<void>;
}

export interface ClaudeWallOptions {
  readonly program: string;
  readonly modelUrl: string;
  /** PATH on which the program is found; absent: its own folder. */
  readonly path?: string;
  /** Another program than Claude Code, and its model. */
  readonly other?: {
    readonly recipe: ProgramRecipe;
    readonly model: Pick<ModelChoice, 'provider' | 'adapter' | 'model'>;
    /** For a program that agent.yml names: its settings. */
    readonly config?: object;
  };
  /** The program runs in a container of this image, and not on this computer. */
  readonly inside?: {
    readonly containers: Pick<AgentContainers, 'find' | 'executor'>;
    readonly container: HarnessContainer;
  };
}

function noContainers(): never {
  throw new Error('this agent has no container');
}

/** As the host keeps what it found for a while. */
const foundPrograms = new Map<string, HarnessView>();

export async function createClaudeWall({
  program,
  modelUrl,
  path: programPath = path.dirname(program),
  other,
  inside,
}: ClaudeWallOptions): Promise<ClaudeWall> {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const log = createRecordingLog();
  const outside = mkdtempSync(path.join(tmpdir(), 'kennel-outside-'));
  writeFileSync(path.join(outside, 'secret.txt'), 'a private note');
  const listener = createServer((socket) => socket.on('error', () => undefined).end('reached'));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const relays = createModelRelays(
    {
      clock,
      random,
      log,
      socketPath: (id) => ok(path.join(outside, `${id}.sock`)),
      addSecret: () => undefined,
    },
    {
      openTools: async ({ agentId, tools }) =>
        createToolServer(agentId, turnTools(tools), { version: '1', clock, log }),
    },
  );
  const choice: ModelChoice = {
    ...(other?.model ?? { provider: 'anthropic', adapter: 'anthropic', model: 'claude-sonnet-4-5' }),
    baseUrl: modelUrl,
    apiKey: realKey,
    auth: 'api_key',
    scripted: false,
    reason: 'agent',
  };
  const env = { HOME: outside, PATH: process.env.PATH, ANTHROPIC_API_KEY: realKey };
  const recipe = other?.recipe ?? claudeRecipe;
  const userPath = process.env.PATH ?? '';
  const foundKey = `${recipe.harness} ${programPath}`;
  const agent: ClaudeWall['agent'] = ({ home, processes, points }) => {
    let sandbox: ReturnType<typeof findBubblewrap> | null = null;
    mkdirSync(path.join(home, 'keys'));
    writeFileSync(path.join(home, 'keys', 'identity.json'), 'an identity key');
    writeFileSync(path.join(home, 'agent.yml'), 'runtime: {}\n');
    const config = agentConfigSchema().parse(other?.config ?? { runtime: { kind: 'cli-local' } });
    return createProgramAgent(
      {
        env,
        clock,
        disk: createDisk(random),
        folders: createAgentFolders({ home, env, log, workingDir: () => '' }),
        models: {
          choose: () => ok(choice),
          chooseFresh: async () => ok(choice),
          gate: createProviderGate({ clock, random }),
        },
        programs: {
          processes: async () => processes,
          modelRelay: async () => relays,
          points,
          canaries: { of: () => null, renewed: async () => null },
          sandbox: () => {
            sandbox ??= findBubblewrap({ process: createProcessPort({ clock }), hidden: [home] });
            return sandbox;
          },
          find: async () => {
            if (recipe.harness === customHarness)
              return ok(await findCommand({ env, clock }, config.runtime.command));
            const known = foundPrograms.get(foundKey);
            if (known) return ok({ view: known, path: userPath });
            const deps = { process: createProcessPort({ clock }), path: userPath, env, userHome: outside };
            const found = await detectHarness(
              { ...deps, path: programPath, platform: process.platform },
              recipe.harness,
            );
            foundPrograms.set(foundKey, found);
            return ok({ view: found, path: userPath });
          },
          data: () => null,
          containers: async () => inside?.containers ?? noContainers(),
          container: () => inside?.container ?? noContainers(),
          ...(inside && {
            find: () => inside.containers.find(inside.container, recipe.harness),
            containerOf: () => inside.container,
          }),
        },
      },
      recipe,
      () => ({ id: 'a', folder: home, config, lastGood: config, error: null, requests: [] }),
      () => config,
    );
  };
  return {
    agent,
    outside,
    openPort: typeof address === 'object' && address !== null ? address.port : 0,
    async end() {
      await relays.close();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(outside, { recursive: true, force: true });
    },
  };
}

/** Whether a file below the folder contains the text. */
export function holdsText(folder: string, text: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => {
      try {
        return readFileSync(path.join(entry.parentPath, entry.name)).includes(text);
      } catch {
        // A temporary file of the program that is gone by now.
        return false;
      }
    });
}
