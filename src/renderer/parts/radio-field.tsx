import { type ReactNode, useId } from 'react';

interface RadioOf<T extends string> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: T;
  /** Key, label and description of each option. */
  readonly options: readonly (readonly [T, string, string])[];
  onChange(value: T): void;
}

export function RadioField<T extends string>({ label, hint, value, options, onChange }: RadioOf<T>) {
  const id = useId();
  return (
    <fieldset className="radio-field">
      <legend>{label}</legend>
      {options.map(([key, name, means]) => (
        <div key={key} className="radio-row">
          <input
            type="radio"
            id={`${id}-${key}`}
            name={id}
            checked={key === value}
            aria-describedby={`${id}-${key}-means`}
            onChange={() => onChange(key)}
          />
          <label htmlFor={`${id}-${key}`}>{name}</label>
          <p className="field-hint" id={`${id}-${key}-means`}>
            {means}
          </p>
        </div>
      ))}
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </fieldset>
  );
}
