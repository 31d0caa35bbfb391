/** The fields of a model form as they are saved. */
import type { HostClient } from '../../contract/host-api.ts';
import { type ModelForm, modelInput, savedModel } from './model-form.ts';
import { hasModelList, needsModelName } from './providers.ts';

interface SavedForm {
  readonly link: HostClient;
  readonly form: ModelForm;
  /** Agent whose stored key is used, or `null` for the key of all agents. */
  readonly agent: string | null;
  /** The form edits the model of all agents, where an empty name replaces the saved one. */
  readonly isDefault: boolean;
}

/**
 * A server of the operator's own has no default model. An agent with an empty name follows the model that is
 * saved for the provider; if none is saved, the first model that the server lists is filled in.
 */
export async function saveInput({
  link,
  form,
  agent,
  isDefault,
}: SavedForm): Promise<ReturnType<typeof modelInput>> {
  const { model, ...input } = modelInput(form);
  if (model !== '' || !needsModelName(form.provider) || !hasModelList(form.provider))
    return { ...input, model };
  if (!isDefault) {
    const settings = await link.call('config.get', {});
    if (!settings.ok) return { ...input, model };
    const saved = savedModel(settings.value, form.provider);
    // For all agents, an empty name would remove the saved one.
    if (saved !== '') return { ...input, model: form.forAll ? saved : '' };
  }
  const asker = agent === null ? {} : { agent };
  const listed = await link.call('models.list', { ...input, ...asker, fresh: false });
  const [first] = listed.ok ? listed.value.models : [];
  return { ...input, model: first?.id ?? '' };
}
