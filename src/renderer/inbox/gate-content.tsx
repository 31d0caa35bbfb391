import type { HostText } from '../../language/host-message.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ExactText } from '../parts/exact-text.tsx';

interface ContentOf {
  readonly prompt: HostText;
  readonly preview: string;
  /** JSON of each item. */
  readonly items: readonly string[];
  /** JSON, or empty if the gate has no subject. */
  readonly subjectJson: string;
}

/** Content of a workflow gate without any formatting, because its content hash covers every character. */
export function GateDetails({ prompt, preview, items, subjectJson }: ContentOf) {
  return (
    <div className="gate-content">
      <p className="gate-prompt">
        <ExactText text={localize(prompt)} />
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

/** Shows an object by fields and any other value as text. */
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

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns name and value of each field of an object, or the text of any other value. */
function fieldsOfItem(json: string): string | readonly (readonly [string, string])[] {
  let item: unknown;
  try {
    item = JSON.parse(json);
  } catch {
    return json;
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return shown(item);
  const fields = Object.entries(item);
  return fields.length === 0 ? '{}' : fields.map(([name, value]) => [name, shown(value)] as const);
}
