import type { PolicyMode } from '../../../contract/approvals.ts';
import { t } from '../../../language/texts.ts';
import { RadioField } from '../../parts/radio-field.tsx';
import type { ToolsPart } from './tools-view.ts';

const modes = () =>
  [
    ['ask', t('tools.ask'), t('tools.askMeans')],
    ['trusted_folders', t('tools.trustedFolders'), t('tools.trustedFoldersMeans')],
    ['unattended', t('tools.unattended'), t('tools.unattendedMeans')],
  ] as const satisfies (readonly [PolicyMode, string, string])[];

/** Policy mode of the agent; a change is saved at once. */
export function ModeCard({ view, save }: ToolsPart) {
  return (
    <section className="card stack" aria-labelledby="mode-title">
      <h2 id="mode-title">{t('tools.trust')}</h2>
      <RadioField
        label={t('tools.mode')}
        value={view.mode}
        options={modes()}
        onChange={(mode) => void save({ mode })}
        hint={t('tools.modeHint')}
      />
      <p className="field-hint">{t('tools.atOnce')}</p>
    </section>
  );
}
