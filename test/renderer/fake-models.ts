/** Models of the fake host: the model of all agents, each agent's own, and tests of both. */
import { createHash } from 'node:crypto';
import type { AppError } from '../../src/contract/errors.ts';
import { textError } from '../../src/contract/errors.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import type { AgentDetail, AgentSummary } from '../../src/contract/model.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type { Handler } from './fake-host.ts';

type Config = MethodOutput<'config.get'>;
type Own = Pick<AgentDetail, 'runtime' | 'modelSettings'>;

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

const changedElsewhere = textError(
  'conflict',
  'These settings were changed elsewhere after you opened them. Nothing was saved.',
);

export class FakeModels {
  /** Sources of the API keys that the host found. */
  keys: Record<string, string> = {};
  saved: Pick<Config, 'defaultProvider' | 'providers' | 'inUse'> = {
    defaultProvider: 'anthropic',
    providers: {},
    inUse: null,
  };
  senderMessages = 40;
  archiveDays = 0;
  /** The error of `models.test`, or `null` if the model answers. */
  refusal: AppError | null = null;
  /** Without a safe place, a key needs a passphrase first. */
  safe = true;
  private readonly own = new Map<string, Partial<Own>>();
  private readonly summary: (agent: string) => AgentSummary;

  constructor(summary: (agent: string) => AgentSummary) {
    this.summary = summary;
  }

  detail(of: AgentDetail): AgentDetail {
    const whole = { ...of, ...this.own.get(of.id) };
    const { kind, provider, model, baseUrl } = whole.runtime;
    const versions = {
      ...of.versions,
      model: digest([kind, provider, model, baseUrl]),
      limits: digest(whole.modelSettings),
    };
    this.own.set(of.id, { runtime: whole.runtime, modelSettings: whole.modelSettings });
    return { ...whole, versions };
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'config.get': () => ok(this.config()),
      'config.set': (input: MethodInput<'config.set'>) => this.setConfig(input),
      'agents.setRuntime': ({ version, agent, apiKey, ...change }: MethodInput<'agents.setRuntime'>) => {
        const { runtime } = this.own.get(agent) ?? {};
        if (runtime === undefined) return ok({ agent: this.summary(agent), warning: '' });
        const { kind, provider, model, baseUrl } = runtime;
        if (version !== undefined && version !== digest([kind, provider, model, baseUrl]))
          return err(changedElsewhere);
        if (apiKey !== undefined && !this.safe) return err(unsafe);
        const apiKeySet = runtime.apiKeySet || apiKey !== undefined;
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        this.own.set(agent, { ...this.own.get(agent), runtime: { ...runtime, ...given, apiKeySet } });
        return ok({ agent: this.summary(agent), warning: '' });
      },
      'agents.setModel': ({ version, agent, ...change }: MethodInput<'agents.setModel'>) => {
        const { modelSettings } = this.own.get(agent) ?? {};
        if (version !== undefined && version !== digest(modelSettings)) return err(changedElsewhere);
        this.own.set(agent, {
          ...this.own.get(agent),
          modelSettings: { ...modelSettings, ...change } as AgentDetail['modelSettings'],
        });
        return ok({ agent: this.summary(agent) });
      },
      'models.test': ({ provider, model }: MethodInput<'models.test'>) =>
        this.refusal === null
          ? ok({ provider, model: model || 'usual-model', ms: 840, scripted: false })
          : err(this.refusal),
    };
  }

  private config(): Config {
    return {
      yaml: '',
      path: '/home/ada/.kennel/daemon.yml',
      keys: this.keys,
      ...this.saved,
      senderMessages: this.senderMessages,
      archiveDays: this.archiveDays,
      version: digest(this.saved),
    };
  }

  private setConfig(input: MethodInput<'config.set'>): Result<unknown> {
    if (input.version !== undefined && input.version !== this.config().version) return err(changedElsewhere);
    const { provider = '', model = '', baseUrl = '', apiKey, senderMessages, archiveDays } = input;
    if (senderMessages !== undefined) {
      this.senderMessages = senderMessages;
      return ok({});
    }
    if (archiveDays !== undefined) {
      this.archiveDays = archiveDays;
      return ok({});
    }
    if (archiveDays !== undefined) {
      this.archiveDays = archiveDays;
      return ok({});
    }
    if (apiKey !== undefined && !this.safe) return err(unsafe);
    if (apiKey !== undefined) this.keys = { ...this.keys, [provider]: 'stored' };
    this.saved = {
      defaultProvider: input.defaultProvider ?? this.saved.defaultProvider,
      providers: { ...this.saved.providers, [provider]: { model, baseUrl } },
      inUse: { provider, model: model || 'usual-model', scripted: false },
    };
    return ok({});
  }
}

const unsafe = textError(
  'insecure_storage',
  'Real identities and keys are not stored while only the demo is protected.',
);
