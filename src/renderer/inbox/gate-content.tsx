import { t } from '../../language/texts.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { visibleLine } from '../words/visible-text.ts';
import { fieldsOfItem } from './gate-items.ts';

interface ContentOf {
  readonly prompt: string;
  readonly preview: string;
  /** JSON of each. */
  readonly items: readonly string[];
  /** JSON; empty: none. */
  readonly subjectJson: string;
}

/** What a gate of a workflow shows to whoever decides, letter by letter: its content hash covers all of it. */
export function GateContent({ prompt, preview, items, subjectJson }: ContentOf) {
  return (
    <div className="gate-content">
      <p className="gate-prompt">
        <ExactText text={prompt} />
      </p>
      {subjectJson !== '' && (
        <>
          <p className="fine">{t('gates.subject')}</p>
          <GateItem json={subjectJson} />
        </>
      )}
      {items.length > 0 && (
        <>
          <p className="fine">{t('gates.items', { n: items.length })}</p>
          <ol className="gate-items" aria-label={t('gates.items', { n: items.length })}>
            {items.map((json, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of one question never change
              <li key={index}>
                <GateItem json={json} />
              </li>
            ))}
          </ol>
        </>
      )}
      {preview !== '' && (
        <p className="gate-preview">
          <ExactText text={preview} />
        </p>
      )}
    </div>
  );
}

/** An object field by field, everything else as it is. */
function GateItem({ json }: { json: string }) {
  const fields = fieldsOfItem(json);
  if (typeof fields === 'string') return <ExactText text={fields} />;
  return (
    <dl className="gate-fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{visibleLine(name)}</dt>
          <dd>
            <ExactText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
