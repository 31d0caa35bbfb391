import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';

export interface NamedValue {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export const emptyValue = (key: number): NamedValue => ({ key, name: '', value: '' });

export const namedValues = (values: readonly NamedValue[]): Record<string, string> =>
  Object.fromEntries(
    values.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );

interface ValuesOf {
  readonly kind: 'command' | 'address';
  readonly values: readonly NamedValue[];
  onChange(values: readonly NamedValue[]): void;
}

/** Environment variables of a program, or headers of an address. */
export function NamedValues({ kind, values, onChange }: ValuesOf) {
  const set = (key: number, part: Partial<NamedValue>): void =>
    onChange(values.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const isProgram = kind === 'command';
  return (
    <fieldset className="named-values">
      <legend>{isProgram ? t('mcp.variables') : t('mcp.headers')}</legend>
      {values.map(({ key, name, value }, at) => (
        <div key={key} className="named-value field">
          <input
            aria-label={t('mcp.valueName', { n: at + 1 })}
            placeholder={isProgram ? t('mcp.variableExample') : t('mcp.headerExample')}
            spellCheck={false}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ target }) => set(key, { name: target.value })}
          />
          <input
            type="password"
            aria-label={t('mcp.valueText', { n: at + 1 })}
            autoComplete="off"
            maxLength={32_000}
            value={value}
            onChange={({ target }) => set(key, { value: target.value })}
          />
          <IconButton
            icon="minus"
            label={t('mcp.removeValue', { n: at + 1 })}
            onPress={() => onChange(values.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      <p className="button-row">
        <button
          type="button"
          className="button is-small"
          onClick={() => onChange([...values, emptyValue(Math.max(0, ...values.map(({ key }) => key)) + 1)])}
        >
          <Icon name="plus" size={14} /> {isProgram ? t('mcp.addVariable') : t('mcp.addHeader')}
        </button>
      </p>
      <p className="field-hint">{t('mcp.valuesHint')}</p>
    </fieldset>
  );
}
