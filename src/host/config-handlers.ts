import { errorSentence } from '../contract/error-text.ts';
import type { MethodParsed } from '../contract/methods.ts';
import { ok, type Result } from '../contract/result.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import { checkProvider, checkRuntime } from './agents/check-input.ts';
import type { Handlers } from './dispatch.ts';
import type { Secrets } from './secrets.ts';

type ConfigMethods = Pick<Handlers, 'config.get' | 'config.set' | 'policy.get' | 'policy.set'>;

export interface ConfigHandlerDeps {
  readonly settings: DaemonSettings;
  readonly secrets: Pick<Secrets, 'apiKeys' | 'openForReal'>;
}

export function createConfigHandlers({ settings, secrets }: ConfigHandlerDeps): ConfigMethods {
  return {
    'config.get': () => {
      const yaml = settings.yaml();
      return yaml.ok
        ? ok({ yaml: yaml.value, path: settings.path, keys: { ...secrets.apiKeys.overview() } })
        : yaml;
    },
    'config.set': async (input) => {
      const fits = checkConfig(input);
      if (!fits.ok) return fits;
      for (const step of changeSteps(input, { settings, secrets })) {
        const done = await step();
        if (!done.ok) return done;
      }
      return ok({});
    },
    'policy.get': () => {
      const { mode, rules, approval_hours } = settings.config().policy;
      const wrong = settings.error();
      const problem = wrong === null ? '' : errorSentence(wrong);
      return ok({ mode, rules, path: settings.path, approvalHours: approval_hours, problem });
    },
    'policy.set': ({ mode, rules, approvalHours }) => {
      const saved = settings.setPolicy({
        ...(mode === undefined ? {} : { mode }),
        ...(rules === undefined ? {} : { rules }),
        ...(approvalHours === undefined ? {} : { approval_hours: approvalHours }),
      });
      return saved.ok ? ok({}) : saved;
    },
  };
}

/** Checks all settings before the first write: all apply or none. */
function checkConfig({ defaultProvider, provider, baseUrl }: MethodParsed<'config.set'>): Result<void> {
  const standard = checkProvider('defaultProvider', defaultProvider);
  return standard.ok ? checkRuntime({ provider, baseUrl }) : standard;
}

type Step = () => Result<void> | Promise<Result<void>>;

function changeSteps(
  { defaultProvider, provider, model, baseUrl, apiKey }: MethodParsed<'config.set'>,
  { settings, secrets }: ConfigHandlerDeps,
): readonly Step[] {
  const steps: Step[] = [];
  if (defaultProvider !== undefined) steps.push(() => settings.setDefaultProvider(defaultProvider));
  if (!provider) return steps;
  if (model !== undefined || baseUrl !== undefined) {
    const change = {
      ...(model === undefined ? {} : { model }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    };
    steps.push(() => settings.setProvider(provider, change));
  }
  if (apiKey) {
    steps.push(
      () => secrets.openForReal(),
      () => secrets.apiKeys.setForProvider(provider, apiKey),
    );
  }
  return steps;
}
