import type { ConfigView } from './use-model-settings.ts';

/** Values of the fields that choose a model. */
export interface ModelForm {
  /** Empty for the model of all agents. */
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Makes it the model of all agents without one of their own. */
  readonly forAll: boolean;
}

export const blankModel: ModelForm = { provider: '', model: '', baseUrl: '', apiKey: '', forAll: false };

/** Model of one agent, which is not that of all agents. */
export type AgentModel = Pick<ModelForm, 'provider' | 'model' | 'baseUrl'>;

type Saved = Pick<ConfigView, 'providers'> | null;

export const savedAddress = (settings: Saved, provider: string): string =>
  settings?.providers[provider]?.baseUrl ?? '';

export const savedModel = (settings: Saved, provider: string): string =>
  settings?.providers[provider]?.model ?? '';

interface ProviderChoice {
  readonly settings: Saved;
  readonly provider: string;
  /** Empty for the saved model. */
  readonly model: string;
  /** Absent for a new agent and for the model of all agents. */
  readonly own?: AgentModel | undefined;
  /** The fields are saved for all agents, where an empty address removes the saved one. */
  readonly forAll: boolean;
}

/** A chosen provider starts with what is saved for it. */
export function savedFields({ settings, provider, model, own, forAll }: ProviderChoice) {
  const known = own?.provider === provider ? own : undefined;
  return {
    provider,
    model: model || known?.model || savedModel(settings, provider),
    baseUrl: known?.baseUrl || (forAll ? savedAddress(settings, provider) : ''),
    apiKey: '',
  };
}

/** The fields as a method takes them: a key only if one was typed. */
export function modelInput({ provider, model, baseUrl, apiKey }: ModelForm) {
  return {
    provider,
    model: model.trim(),
    baseUrl: baseUrl.trim(),
    ...(apiKey.trim() === '' ? {} : { apiKey: apiKey.trim() }),
  };
}
