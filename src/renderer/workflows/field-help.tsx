import { workflowFieldValues } from '../../contract/workflow-fields.ts';
import { t } from '../../language/texts.ts';
import { fieldHelp, fieldKey, fieldPlace } from './editor/field-place.ts';

/** Explains the field at the cursor, and lists its values. */
export function FieldHelp({ text, cursor }: { text: string; cursor: number }) {
  const { group, field } = fieldPlace(text, Math.min(cursor, text.length));
  const key = fieldKey(group, field);
  const values = key === null ? undefined : workflowFieldValues[key];
  return (
    <section className="field-help" aria-label={t('workflows.fieldHelp')}>
      {key === null ? (
        <p className="fine">{t('workflows.fieldHelpEmpty')}</p>
      ) : (
        <p>
          <code>{field}</code> {fieldHelp(key)}
          {values !== undefined && (
            <span className="fine"> {t('workflows.fieldValues', { values: values.join(', ') })}</span>
          )}
        </p>
      )}
      <p className="fine">{t('workflows.editorKeys')}</p>
    </section>
  );
}
