import { errorSentence } from '../../contract/error-text.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import type { NotificationSettings } from '../../contract/quiet-hours.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import { providerIds } from '../../core/models/providers.ts';
import type { DaemonConfig } from '../../services/config/daemon-schema.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { checkProvider, checkRuntime } from '../agents/check-input.ts';
import type { Handlers } from '../dispatch.ts';
import { checkVersion, versionOf } from '../edit-version.ts';
import type { ModelAccess } from '../fleet/model-access.ts';
import type { Secrets } from '../vault/secrets.ts';

type ConfigMethods = Pick<
  Handlers,
  'config.get' | 'config.set' | 'policy.get' | 'policy.set' | 'notifications.get' | 'notifications.set'
>;

export interface SettingsHandlerDeps {
  readonly settings: DaemonSettings;
  readonly secrets: Pick<Secrets, 'apiKeys' | 'openForReal'>;
  readonly models: Pick<ModelAccess, 'chooseDefault'>;
  /** The model of agents without one of their own may be another one now. */
  onChanged(): void;
  onNotifications(): void;
}

export const viewNotifications = ({ notifications: saved }: DaemonConfig): NotificationSettings => ({
  sounds: saved.sounds,
  quietHours: saved.quiet_hours,
  quietApprovals: saved.quiet_approvals,
});

type ModelSettings = Pick<MethodOutput<'config.get'>, 'defaultProvider' | 'providers'>;

/** Everything that the form of the default model edits, without keys. */
function modelSettings(settings: DaemonSettings): ModelSettings {
  const saved = providerIds.map((id) => [id, settings.provider(id)] as const);
  const named = saved.filter(([, { model, baseUrl }]) => model !== '' || baseUrl !== '');
  return { defaultProvider: settings.defaultProvider(), providers: Object.fromEntries(named) };
}

const editedPolicy = ({ mode, rules, approval_hours }: DaemonConfig['policy']) => ({
  mode,
  rules,
  approval_hours,
});

export function createSettingsHandlers(deps: SettingsHandlerDeps): ConfigMethods {
  const { settings, secrets, models, onChanged, onNotifications } = deps;
  return {
    'config.get': () => {
      const yaml = settings.yaml();
      if (!yaml.ok) return yaml;
      const now = modelSettings(settings);
      const choice = models.chooseDefault();
      return ok({
        yaml: yaml.value,
        path: settings.path,
        keys: { ...secrets.apiKeys.overview() },
        ...now,
        inUse: choice.ok ? inUse(choice.value) : null,
        senderMessages: settings.config().limits.sender_messages,
        archiveDays: settings.config().tasks.archive_days,
        version: versionOf(now),
      });
    },
    'config.set': async (input) => {
      const isCurrent = (): Result<void> => checkVersion(input.version, versionOf(modelSettings(settings)));
      const current = isCurrent();
      const fits = current.ok ? checkConfig(input) : current;
      if (!fits.ok) return fits;
      for (const step of changeSteps(input, deps, isCurrent)) {
        const done = await step();
        if (!done.ok) return done;
      }
      onChanged();
      return ok({});
    },
    'notifications.get': () => ok(viewNotifications(settings.config())),
    'notifications.set': (change) => {
      const saved = settings.setNotifications(change);
      if (!saved.ok) return saved;
      onNotifications();
      return ok({});
    },
    'policy.get': () => {
      const policy = editedPolicy(settings.config().policy);
      const { mode, rules, approval_hours } = policy;
      const wrong = settings.error();
      const problem = wrong === null ? '' : errorSentence(wrong);
      return ok({
        mode,
        rules,
        path: settings.path,
        approvalHours: approval_hours,
        problem,
        version: versionOf(policy),
      });
    },
    'policy.set': ({ mode, rules, approvalHours, version }) => {
      const current = checkVersion(version, versionOf(editedPolicy(settings.config().policy)));
      if (!current.ok) return current;
      const saved = settings.setPolicy({
        ...(mode === undefined ? {} : { mode }),
        ...(rules === undefined ? {} : { rules }),
        ...(approvalHours === undefined ? {} : { approval_hours: approvalHours }),
      });
      return saved.ok ? ok({}) : saved;
    },
  };
}

const inUse = ({ provider, model, scripted }: ModelChoice) => ({ provider, model, scripted });

/** Checks all settings before the first write: all apply or none. */
function checkConfig({ defaultProvider, provider, baseUrl }: MethodParsed<'config.set'>): Result<void> {
  const standard = checkProvider('defaultProvider', defaultProvider);
  return standard.ok ? checkRuntime({ provider, baseUrl }) : standard;
}

type Step = () => Result<void> | Promise<Result<void>>;

function changeSteps(
  {
    defaultProvider,
    provider,
    model,
    baseUrl,
    apiKey,
    senderMessages,
    archiveDays,
  }: MethodParsed<'config.set'>,
  { settings, secrets }: Pick<SettingsHandlerDeps, 'settings' | 'secrets'>,
  isCurrent: () => Result<void>,
): readonly Step[] {
  const steps: Step[] = [];
  // The key comes first: without safe storage for it, nothing is changed. Opening that takes time, in which the
  // settings may have changed.
  if (provider && apiKey) {
    steps.push(
      () => secrets.openForReal(),
      () => {
        const current = isCurrent();
        return current.ok ? secrets.apiKeys.setForProvider(provider, apiKey) : current;
      },
    );
  }
  if (defaultProvider !== undefined) steps.push(() => settings.setDefaultProvider(defaultProvider));
  if (provider && (model !== undefined || baseUrl !== undefined)) {
    const change = {
      ...(model === undefined ? {} : { model }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    };
    steps.push(() => settings.setProvider(provider, change));
  }
  if (senderMessages !== undefined) steps.push(() => settings.setSenderMessages(senderMessages));
  if (archiveDays !== undefined) steps.push(() => settings.setArchiveDays(archiveDays));
  return steps;
}
