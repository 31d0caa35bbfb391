import { readFile } from 'node:fs/promises';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { type HarnessId, harnessFacts, harnessIdSchema } from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { effectiveTriple } from '../../core/agents/runtime-triple.ts';
import type { Clock } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { AgentContainers } from './agent-containers.ts';
import { defaultImage, recipeFor, recipeHarnesses } from './container-recipe.ts';
import { containerOf } from './container-settings.ts';
import { createImageJobs } from './image-jobs.ts';

export interface ImageHandlerDeps {
  readonly agents: AgentStore;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly clock: Clock;
  readonly containers: () => Promise<AgentContainers>;
}

type ImageMethods = Pick<
  Handlers,
  | 'images.list'
  | 'images.container'
  | 'images.build'
  | 'images.pull'
  | 'images.import'
  | 'images.wait'
  | 'images.stop'
>;

export function createImageHandlers({ agents, settings, clock, containers }: ImageHandlerDeps): ImageMethods {
  const jobs = createImageJobs(clock);
  return {
    'images.list': async () => {
      const { engines, images } = await containers();
      const found = await engines();
      const { has } = images;
      const views = await Promise.all(
        recipeHarnesses.map(async (harness) => {
          const image = defaultImage(harness);
          return { harness, title: harnessFacts(harness).title, image, isThere: await has(image) };
        }),
      );
      return ok({
        engines: found.map(({ engine, state, why }) => ({ name: engine.name, state, why })),
        images: views,
        job: jobs.latest(),
      });
    },
    'images.container': async ({ agent: ref }) => {
      const agent = findAgent(agents, ref);
      if (!agent.ok) return agent;
      const { id } = agent.value;
      const config = configInForce(agent.value);
      const { image, memory } = containerOf(config, harnessOf(config.runtime), settings);
      const { engine, images, executor } = await containers();
      const ready = await engine();
      return ok({
        engine: ready.ok ? ready.value.name : null,
        image,
        isImageThere: await images.has(image),
        memory,
        ...executor.limits,
        state: await executor.stateOf(id),
      });
    },
    'images.build': async ({ harness, base, recipe: path }) => {
      const recipe = path === undefined ? ownRecipe(harness, base) : await readRecipe(path);
      if (!recipe.ok) return recipe;
      const { images } = await containers();
      const image = defaultImage(harness);
      const begun = jobs.begin({ image, action: 'build' }, (follower) =>
        images.build({ image, recipe: recipe.value }, follower),
      );
      return begun.ok ? ok({ job: begun.value }) : begun;
    },
    'images.pull': async ({ image }) => {
      const { images } = await containers();
      const begun = jobs.begin({ image, action: 'pull' }, (follower) => images.pull(image, follower));
      return begun.ok ? ok({ job: begun.value }) : begun;
    },
    'images.import': async ({ file, image }) => {
      const { images } = await containers();
      const begun = jobs.begin({ image: image ?? file, action: 'import' }, (follower) =>
        images.import({ file, image: image ?? null }, follower),
      );
      return begun.ok ? ok({ job: begun.value }) : begun;
    },
    'images.wait': async ({ seen }) => ok({ job: await jobs.wait(seen) }),
    'images.stop': () => {
      jobs.stop();
      return ok({});
    },
  };
}

const harnessOf = (runtime: Parameters<typeof effectiveTriple>[0]): HarnessId =>
  harnessIdSchema.safeParse(effectiveTriple(runtime).harness).data ?? 'claude-code';

function ownRecipe(harness: HarnessId, base: string | undefined): Result<string> {
  const recipe = recipeFor(harness, base);
  const { title } = harnessFacts(harness);
  return recipe === null ? err(fail('unsupported', 'container.noRecipe', { title })) : ok(recipe);
}

async function readRecipe(path: string): Promise<Result<string>> {
  try {
    return ok(await readFile(path, 'utf8'));
  } catch (error) {
    return err(fail('not_found', 'container.recipeNotRead', { why: errorText(error) }, { where: path }));
  }
}
