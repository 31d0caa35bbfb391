import type { Room } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { ChoiceField } from '../../parts/field.tsx';

const ownSources = ['workspace', 'notes', 'tasks', 'workflows', 'settings', 'chat'] as const;

export interface ShareForm {
  /** Id of the channel, or empty for none. */
  readonly room: string;
  /** Keys of `ownSources`, and ids of channels for their messages. */
  readonly sources: readonly string[];
}

export const noShare: ShareForm = { room: '', sources: ['workspace'] };

/** Input of `grants.share`; `null` if nothing can be shared. */
export function shareInput({ room, sources }: ShareForm) {
  const what = sources.filter((source) => source !== room);
  return room === '' || what.length === 0 ? null : { room, what };
}

interface FieldsOf {
  readonly label: string;
  readonly hint?: string;
  readonly form: ShareForm;
  readonly channels: readonly Room[];
  /** Name of the choice without a channel, if allowed. */
  readonly nobody?: string;
  change(part: Partial<ShareForm>): void;
}

/** A channel, and the sources that an agent may share there without an approval. */
export function ShareFields({ label, hint, form, channels, nobody, change }: FieldsOf) {
  return (
    <>
      <ChoiceField
        label={label}
        value={form.room}
        options={[
          ...(nobody === undefined ? [] : [['', nobody] as const]),
          ...channels.map(({ id, name }) => [id, `#${visibleLine(name)}`] as const),
        ]}
        onChange={(room) => change({ room })}
        hint={hint}
      />
      {form.room !== '' && <Sources form={form} channels={channels} change={change} />}
    </>
  );
}

function Sources({ form, channels, change }: Pick<FieldsOf, 'form' | 'channels' | 'change'>) {
  const { room, sources } = form;
  const others = channels.filter(({ id }) => id !== room);
  const options: readonly (readonly [string, string])[] = [
    ...ownSources.map((source) => [source, t(`tools.share_${source}`)] as const),
    ...others.map(
      ({ id, name }) => [id, t('tools.shareMessages', { room: `#${visibleLine(name)}` })] as const,
    ),
  ];
  const toggle = (source: string): void =>
    change({
      sources: sources.includes(source) ? sources.filter((one) => one !== source) : [...sources, source],
    });
  return (
    <fieldset className="pick-list">
      <legend>{t('tools.shareWhat')}</legend>
      {options.map(([source, name]) => (
        <label key={source} className="pick-row">
          <input type="checkbox" checked={sources.includes(source)} onChange={() => toggle(source)} />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
