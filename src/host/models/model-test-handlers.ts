/**
 * Tests a choice of model, saved or not, with one real request for the shortest possible answer. The request
 * is not counted in usage and budgets.
 */
import { fail } from '../../contract/fail.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { userMessage } from '../../core/models/messages.ts';
import type { ModelEvent, ModelTarget } from '../../core/models/model-ports.ts';
import { type AdapterName, providerInfo } from '../../core/models/providers.ts';
import type { Clock } from '../../core/ports.ts';
import type { Handlers } from '../dispatch.ts';
import type { ModelAccess } from '../fleet/model-access.ts';
import { findModelTarget, type ModelTargetDeps } from './model-target.ts';

/** ms for the whole test: a local server may first have to load the model. */
const waitMs = 60_000;
/** The shortest answer that a provider accepts; the Responses API accepts no lower limit than 16. */
const shortestAnswer = (adapter: AdapterName): number => (adapter === 'openai-responses' ? 16 : 1);

type Wish = MethodParsed<'models.test'>;

export interface ModelTestDeps {
  readonly targets: ModelTargetDeps;
  readonly models: Pick<ModelAccess, 'chooseFor' | 'model'>;
  readonly lists: Pick<Handlers, 'models.list'>;
  readonly clock: Clock;
}

interface Tested extends ModelTarget {
  readonly adapter: AdapterName;
}

/** The model that an agent would use; a local server's first model if none is named. */
async function nameOf({ targets, lists }: ModelTestDeps, wish: Wish): Promise<Result<string>> {
  const named = wish.model || targets.settings.provider(wish.provider).model;
  const usual = named || (providerInfo(wish.provider)?.defaultModel ?? '');
  if (usual !== '') return ok(usual);
  const { model: _, ...asked } = wish;
  const listed = await lists['models.list']({ ...asked, fresh: false }, { kind: 'owner-ui' });
  if (!listed.ok) return listed;
  const [first] = listed.value.models;
  if (first !== undefined) return ok(first.id);
  return err(fail('not_found', 'models.noModelLoaded', {}, { help: 'models.loadModel' }));
}

async function findTested(deps: ModelTestDeps, wish: Wish): Promise<Result<Tested>> {
  if (wish.provider === '') return deps.models.chooseFor({ provider: '', model: '' });
  const target = await findModelTarget(deps.targets, wish);
  if (!target.ok) return target;
  const model = await nameOf(deps, wish);
  return model.ok ? ok({ ...target.value, model: model.value }) : model;
}

async function lastOf(events: AsyncIterable<ModelEvent>): Promise<ModelEvent | null> {
  let last: ModelEvent | null = null;
  for await (const event of events) last = event;
  return last;
}

async function ask(deps: ModelTestDeps, { adapter, ...target }: Tested): Promise<Result<void>> {
  const { models, clock } = deps;
  const port = await models.model(adapter);
  if (!port) return err(fail('unsupported', 'models.unsupportedProvider'));
  const stop = new AbortController();
  const timer = clock.after(waitMs, () => stop.abort());
  const context = { system: '', messages: [userMessage('Say hi.', clock.now())], tools: [] };
  const options = { maxOutputTokens: shortestAnswer(adapter), thinkingLevel: 'off' } as const;
  try {
    const last = await lastOf(port.stream(target, context, options, stop.signal));
    if (last?.type === 'done') return ok(undefined);
    if (stop.signal.aborted) return err(fail('timeout', 'models.modelTimedOut', { seconds: waitMs / 1000 }));
    if (last?.type === 'error') return err(last.failure.error);
    return err(fail('model_error', 'workflows.modelEndedWithoutAnswer'));
  } finally {
    timer.cancel();
  }
}

export function createModelTestHandlers(deps: ModelTestDeps): Pick<Handlers, 'models.test'> {
  return {
    'models.test': async (wish) => {
      const tested = await findTested(deps, wish);
      if (!tested.ok) return tested;
      const { clock } = deps;
      const began = clock.monotonic();
      const answered = await ask(deps, tested.value);
      if (!answered.ok) return answered;
      const { provider, model, adapter } = tested.value;
      const ms = Math.round(clock.monotonic() - began);
      return ok({ provider, model, ms, scripted: adapter === 'scripted' });
    },
  };
}
