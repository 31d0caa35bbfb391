import { fail } from '../../contract/fail.ts';
import { isRecord } from '../../contract/is-record.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { toVisibleLine } from '../../contract/visible-text.ts';
import { checkAgainst } from '../../core/loop/json-schema.ts';
import { sameJson } from '../../core/loop/same-json.ts';
import type { McpFieldValue } from '../../core/mcp/mcp-ports.ts';
import type { JsonSchema } from '../../core/models/model-ports.ts';

export type ElicitationValues = Readonly<Record<string, McpFieldValue>>;

/** A form that a server asks the operator to fill in. */
export interface ElicitationForm {
  /** One line per field, with invisible characters named. */
  readonly text: string;
  /** With titled choices written as `enum`, which the window shows as a list. */
  readonly schema: JsonSchema;
  readonly defaults: ElicitationValues;
  check(response: unknown): Result<ElicitationValues>;
}

const maxFields = 50;
const maxChoices = 200;
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array'];

type Fields = Readonly<Record<string, unknown>>;

interface Choice {
  readonly value: string;
  readonly title: string;
}

/** Choices of `enum`, and of `oneOf` or `anyOf` with titles; `null` for none or too many. */
function choicesOf(schema: Fields): readonly Choice[] | null {
  const titled = schema.oneOf ?? schema.anyOf;
  const listed: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const names: readonly unknown[] = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(titled)
    ? titled.map((one: unknown) => (isRecord(one) ? [one.const, one.title] : [undefined, undefined]))
    : listed.map((value, at) => [value, names[at]]);
  const choices = pairs.flatMap(([value, title]) =>
    typeof value === 'string' ? [{ value, title: typeof title === 'string' ? title : value }] : [],
  );
  return choices.length === pairs.length && choices.length > 0 && choices.length <= maxChoices
    ? choices
    : null;
}

const hasChoices = (schema: Fields): boolean =>
  schema.enum !== undefined || schema.oneOf !== undefined || schema.anyOf !== undefined;

function withEnum(schema: Fields, choices: readonly Choice[]): Fields {
  const { oneOf: _, anyOf: __, enumNames: ___, ...rest } = schema;
  return { ...rest, enum: choices.map(({ value }) => value) };
}

interface Field {
  readonly schema: Fields;
  readonly choices: readonly Choice[];
}

/** `null` for a field that a flat form cannot have. */
function fieldOf(schema: unknown): Field | null {
  if (!isRecord(schema) || !types.includes(schema.type)) return null;
  if (schema.type === 'array') {
    const items = isRecord(schema.items) ? schema.items : {};
    const choices = choicesOf(items);
    return choices && { schema: { ...schema, items: withEnum(items, choices) }, choices };
  }
  if (!hasChoices(schema)) return { schema, choices: [] };
  const choices = choicesOf(schema);
  return choices && { schema: withEnum(schema, choices), choices };
}

function fieldText(name: string, { schema, choices }: Field, isRequired: boolean): string {
  const { type, title, description, format } = schema;
  const kind = [String(type), typeof format === 'string' ? format : '', isRequired ? 'required' : 'optional'];
  const about = [title, description].filter((text) => typeof text === 'string' && text !== '').join('. ');
  const shown = choices.map(({ value, title: label }) => (label === value ? value : `${value} (${label})`));
  const ends = [
    about === '' ? '' : `: ${about}`,
    shown.length === 0 ? '' : ` [${shown.join(' | ')}]`,
    schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`,
  ];
  return toVisibleLine(`${name} (${kind.filter((part) => part !== '').join(', ')})${ends.join('')}`);
}

const isValue = (value: unknown): value is McpFieldValue =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

/** `null` if the schema is no flat object of plain fields. */
export function readElicitationForm(asked: JsonSchema): ElicitationForm | null {
  const properties = isRecord(asked.properties) ? asked.properties : {};
  const names = Object.keys(properties);
  if (asked.type !== 'object' || names.length > maxFields) return null;
  const needed: readonly unknown[] = Array.isArray(asked.required) ? asked.required : [];
  const fields = new Map<string, Field>();
  for (const name of names) {
    const field = fieldOf(properties[name]);
    if (field === null) return null;
    fields.set(name, field);
  }
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries([...fields].map(([name, field]) => [name, field.schema])),
    required: needed.filter((name): name is string => typeof name === 'string' && fields.has(name)),
    additionalProperties: false,
  };
  const defaults = [...fields].flatMap(([name, field]): (readonly [string, McpFieldValue])[] =>
    isValue(field.schema.default) ? [[name, field.schema.default]] : [],
  );
  return {
    text: [...fields].map(([name, field]) => fieldText(name, field, needed.includes(name))).join('\n'),
    schema,
    defaults: Object.fromEntries(defaults),
    check(response) {
      const { value, issues } = checkAgainst(schema, structuredClone(response));
      const [issue] = issues;
      // Nothing is corrected: the server gets what the operator entered.
      if (issue === undefined && sameJson(value, response)) return ok(response as ElicitationValues);
      const why = issue === undefined ? 'type' : `${issue.path} ${issue.message}`;
      return err(fail('invalid_input', 'mcpServers.valuesDoNotFit', { why }));
    },
  };
}
