import { fail } from '../../contract/fail.ts';
import { type HarnessId, harnessFacts } from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HarnessContainer } from '../../core/runtimes/harness-ports.ts';
import {
  type ContainerEngine,
  type FoundEngine,
  findContainerEngines,
  readyEngine,
} from '../../services/executors/container-engine.ts';
import {
  buildImage,
  hasImage,
  type ImageFollower,
  importImage,
  pullImage,
} from '../../services/executors/container-images.ts';
import {
  createHarnessContainers,
  type HarnessContainers,
} from '../../services/executors/harness-container.ts';
import type { Layout } from '../layout.ts';
import { type FindHarnessDeps, type FoundHarness, lookUpPrograms } from './find-harnesses.ts';

export interface AgentContainersDeps extends FindHarnessDeps {
  readonly layout: Pick<Layout, 'home' | 'containers'>;
}

interface AgentImages {
  /** False without an engine, too. */
  has(image: string): Promise<boolean>;
  build(
    wish: { readonly image: string; readonly recipe: string },
    follower: ImageFollower,
  ): Promise<Result<string>>;
  pull(image: string, follower: ImageFollower): Promise<Result<string>>;
  import(
    wish: { readonly file: string; readonly image: string | null },
    follower: ImageFollower,
  ): Promise<Result<string>>;
}

/** The containers of agents, by the engine of this computer. */
export interface AgentContainers {
  readonly executor: HarnessContainers;
  /** The engines, asked at most once a minute while one is ready. */
  engines(): Promise<readonly FoundEngine[]>;
  engine(): Promise<Result<ContainerEngine>>;
  readonly images: AgentImages;
  /** The program in this image. */
  find(container: HarnessContainer, harness: HarnessId): Promise<Result<FoundHarness>>;
}

/** ms after which a ready engine is asked again. */
const freshMs = 60_000;

export function createAgentContainers(deps: AgentContainersDeps): AgentContainers {
  const { clock, layout } = deps;
  let found: { readonly at: number; readonly engines: readonly FoundEngine[] } | null = null;
  const engines = async (): Promise<readonly FoundEngine[]> => {
    const now = clock.monotonic();
    const isReady = found?.engines.some(({ state }) => state === 'ready') ?? false;
    if (found && isReady && now - found.at < freshMs) return found.engines;
    found = { at: now, engines: await findContainerEngines(await lookUpPrograms(deps)) };
    return found.engines;
  };
  const engine = async (): Promise<Result<ContainerEngine>> => readyEngine(await engines());
  const executor = createHarnessContainers({ engine, folder: layout.containers, home: layout.home });
  return {
    executor,
    engines,
    engine,
    images: imagesBy(engine, layout.containers),
    async find({ image }, id) {
      const facts = harnessFacts(id);
      const { title, protocol, gate, resumes, isRunnable, installCommand, loginCommand } = facts;
      const [program = id] = facts.programs;
      const version = await executor.versionOf(image, program);
      if (!version.ok) return version;
      if (version.value === null) return err(fail('not_found', 'container.programMissing', { image, title }));
      const view = {
        id,
        title,
        program,
        entry: facts.adapter ?? program,
        version: version.value || null,
        // A login of the person is not given to a container.
        login: 'no' as const,
        protocol,
        gate,
        resumes,
        isRunnable,
        installCommand,
        loginCommand,
        canary: null,
      };
      return ok({ view, path: '' });
    },
  };
}

const imagesBy = (engine: AgentContainers['engine'], folder: string): AgentImages => ({
  async has(image) {
    const ready = await engine();
    return ready.ok && hasImage(ready.value, image);
  },
  async build(wish, follower) {
    const ready = await engine();
    return ready.ok ? buildImage(ready.value, { ...wish, folder }, follower) : ready;
  },
  async pull(image, follower) {
    const ready = await engine();
    return ready.ok ? pullImage(ready.value, image, follower) : ready;
  },
  async import(wish, follower) {
    const ready = await engine();
    return ready.ok ? importImage(ready.value, wish, follower) : ready;
  },
});
