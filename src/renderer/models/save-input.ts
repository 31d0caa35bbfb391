/** The fields of a model form as they are saved. */
import type { HostClient } from '../../contract/host-api.ts';
import { type ModelForm, modelInput } from './model-form.ts';
import { hasModelList, needsModelName } from './providers.ts';

/**
 * A server of the operator's own has no default model, so an empty name becomes the first model that it lists.
 * `agent` is the one whose stored key is used; `null` for the key of all agents.
 */
export async function saveInput(
  link: HostClient,
  form: ModelForm,
  agent: string | null,
): Promise<ReturnType<typeof modelInput>> {
  const { model, ...input } = modelInput(form);
  if (model !== '' || !needsModelName(form.provider) || !hasModelList(form.provider))
    return { ...input, model };
  const of = agent === null ? {} : { agent };
  const listed = await link.call('models.list', { ...input, ...of, fresh: false });
  const [first] = listed.ok ? listed.value.models : [];
  return { ...input, model: first?.id ?? '' };
}
