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

/** The fields as a method takes them: a key only if one was typed. */
export function modelInput({ provider, model, baseUrl, apiKey }: ModelForm) {
  return {
    provider,
    model: model.trim(),
    baseUrl: baseUrl.trim(),
    ...(apiKey.trim() === '' ? {} : { apiKey: apiKey.trim() }),
  };
}
