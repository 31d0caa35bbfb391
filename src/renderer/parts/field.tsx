import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

interface FieldOf {
  readonly label: string;
  readonly hint?: ReactNode | undefined;
}

/** Labelled input; screen readers read the hint after the label. */
export function Field({ label, hint, ...input }: FieldOf & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} {...input} />
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function AreaField({ label, hint, ...area }: FieldOf & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} aria-describedby={hint === undefined ? undefined : `${id}-hint`} {...area} />
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceOf<T extends string> extends FieldOf {
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  onChange(value: T): void;
}

export function ChoiceField<T extends string>({ label, hint, value, options, onChange }: ChoiceOf<T>) {
  const id = useId();
  const choose = (chosen: string): void => {
    const option = options.find(([key]) => key === chosen);
    if (option !== undefined) onChange(option[0]);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => choose(event.target.value)}>
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </div>
  );
}

export function SwitchField({ label, hint, checked, onChange }: SwitchOf) {
  const id = useId();
  return (
    <div className="switch-field">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>
        <span>{label}</span>
        {hint !== undefined && <span className="field-hint">{hint}</span>}
      </label>
    </div>
  );
}

interface SwitchOf extends FieldOf {
  readonly checked: boolean;
  onChange(checked: boolean): void;
}
