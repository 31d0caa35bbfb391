import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { AreaField, ChoiceField, Field } from '../parts/field.tsx';
import { type FieldProblem, keyOf, type Typed } from './read-form.ts';
import type { SchemaField } from './schema-fields.ts';

interface FormOf {
  readonly fields: readonly SchemaField[];
  readonly typed: Typed;
  /** Problems by field key; filled after the first attempt to submit. */
  readonly problems: Readonly<Record<string, FieldProblem>>;
  onChange(typed: Typed): void;
}

/** Fields of a schema; the caller adds the buttons. */
export function SchemaForm({ fields, typed, problems, onChange }: FormOf) {
  return (
    <div className="stack">
      {fields.map((field) => {
        const key = keyOf(field);
        return (
          <OneField
            key={key}
            field={field}
            text={typed[key] ?? field.start}
            problem={problems[key] ?? null}
            onChange={(text) => onChange({ ...typed, [key]: text })}
          />
        );
      })}
    </div>
  );
}

interface OneOf {
  readonly field: SchemaField;
  readonly text: string;
  readonly problem: FieldProblem | null;
  onChange(text: string): void;
}

/** Label with the path, such as "author · name", marked if optional. */
function labelOf({ path, label, required }: SchemaField): string {
  const outer = path.slice(0, -1);
  const name = visibleLine([...outer, label === '' ? t('forms.answer') : label].join(' · '));
  return required ? name : t('forms.optional', { name });
}

const hints = { lines: 'forms.lines', json: 'forms.json', any: 'forms.any' } as const;

function hintOf({ kind, description }: SchemaField, problem: FieldProblem | null): string | undefined {
  const said = [
    ...(problem === null ? [] : [t(`forms.problem_${problem}`)]),
    ...(description === '' ? [] : [visibleLine(description)]),
    ...(kind === 'lines' || kind === 'json' || kind === 'any' ? [t(hints[kind])] : []),
  ];
  return said.length === 0 ? undefined : said.join(' ');
}

function OneField({ field, text, problem, onChange }: OneOf) {
  const shown = { label: labelOf(field), hint: hintOf(field, problem) };
  if (field.kind === 'boolean' || field.kind === 'choice')
    return <ChoiceField {...shown} value={text} options={choicesOf(field)} onChange={onChange} />;
  const common = {
    ...shown,
    value: text,
    spellCheck: field.kind === 'text',
    'aria-invalid': problem !== null,
  };
  if (field.kind === 'lines' || field.kind === 'json')
    return (
      <AreaField
        {...common}
        rows={field.kind === 'json' ? 5 : 3}
        className={field.kind === 'json' ? 'is-mono' : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  const isNumber = field.kind === 'number' || field.kind === 'integer';
  return (
    <Field
      {...common}
      inputMode={isNumber ? 'decimal' : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Without a default, the first option is empty, so that the form never chooses a value. */
function choicesOf({ kind, choices, start }: SchemaField): readonly (readonly [string, string])[] {
  const all: readonly (readonly [string, string])[] =
    kind === 'boolean'
      ? [
          ['true', t('forms.yes')],
          ['false', t('forms.no')],
        ]
      : choices.map((json) => [json, visibleLine(spoken(json))] as const);
  return start === '' ? [['', t('forms.choose')], ...all] : all;
}

function spoken(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}
