/** Functions of the program as tools; their parameters come from a schema, or from the doc comment. */
import { z } from 'zod';
import { isRecord } from '../../contract/is-record.ts';
import type { JsonSchema } from '../../core/models/model-ports.ts';

export type ToolFunction = (args: Readonly<Record<string, unknown>>) => unknown;

/** A schema of zod, or of any library with the interface Standard Schema. */
export interface ArgumentSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly jsonSchema?: unknown;
    readonly types?: { readonly output: Output } | undefined;
  };
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[];
    };

export interface LocalTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the one argument, an object. */
  readonly parameters: JsonSchema;
  readonly run: ToolFunction;
}

export interface ToolOptions {
  /** The name of the function if absent. */
  readonly name?: string;
  readonly description?: string;
  /** JSON Schema of the one argument, or a schema that also checks it. */
  readonly parameters?: JsonSchema | ArgumentSchema;
  /** A doc comment, if the function has none inside. */
  readonly doc?: string;
}

const types: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
};

function typeSchema(text: string): object {
  const plain = text.trim();
  if (plain.endsWith('[]')) return { type: 'array', items: typeSchema(plain.slice(0, -2)) };
  const [, item] = /^Array<(.+)>$/i.exec(plain) ?? [];
  if (item !== undefined) return { type: 'array', items: typeSchema(item) };
  const members = plain.split('|').map((member) => member.trim());
  const texts = members
    .map((member) => /^'(.*)'$|^"(.*)"$/.exec(member))
    .map((found) => found?.[1] ?? found?.[2]);
  if (texts.every((each) => each !== undefined)) return { type: 'string', enum: texts };
  const known = members.flatMap((member) => types[member.toLowerCase()] ?? (member === 'null' ? 'null' : []));
  if (known.length !== members.length) return {};
  return { type: known.length === 1 ? known[0] : known };
}

function defaultValue(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll("'", '"'));
  } catch {
    return text;
  }
}

/** Reads `@param {type} name - text`, `[name]` and `[name=value]`. */
function readDoc(comment: string): { readonly description: string; readonly parameters: JsonSchema } {
  const text = comment.replace(/^\s*\/\*\*?|\*\/\s*$/g, '').replaceAll(/^\s*\* ?/gm, '');
  const [description = '', ...tags] = text.split(/^\s*@(?=\w)/m);
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const tag of tags) {
    const found = /^param\s+(?:\{([^}]*)\}\s+)?(\[[^\]]*\]|[\w.$]+)\s*(?:-\s*)?([\s\S]*)$/.exec(tag);
    if (!found) continue;
    const [, type = '', written = '', about = ''] = found;
    const [path = '', value] = written.replace(/^\[|\]$/g, '').split('=');
    const name = path.trim().split('.').at(-1) ?? '';
    const described = about.trim().replaceAll(/\s+/g, ' ');
    properties[name] = {
      ...typeSchema(type),
      ...(described === '' ? {} : { description: described }),
      ...(value === undefined ? {} : { default: defaultValue(value.trim()) }),
    };
    if (!written.startsWith('[')) required.push(name);
  }
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { description: description.trim().replaceAll(/\s+/g, ' '), parameters };
}

const isSchema = (parameters: object): parameters is ArgumentSchema => '~standard' in parameters;

/** JSON Schema of what the schema takes. Throws if its library cannot tell. */
function jsonSchemaOf(schema: ArgumentSchema): JsonSchema {
  const { jsonSchema, vendor } = schema['~standard'];
  const made: unknown =
    isRecord(jsonSchema) && typeof jsonSchema.input === 'function'
      ? Reflect.apply(jsonSchema.input, jsonSchema, [{ target: 'draft-2020-12' }])
      : vendor === 'zod'
        ? z.toJSONSchema(schema as unknown as z.ZodType, { io: 'input', unrepresentable: 'any' })
        : null;
  if (!isRecord(made))
    throw new Error(`Schemas of ${vendor} have no JSON Schema; give parameters as JSON Schema.`);
  const { $schema: _, ...rest } = made;
  return rest;
}

/** Calls the function with checked arguments, as the schema changed them. */
function checked(run: ToolFunction, schema: ArgumentSchema): ToolFunction {
  return async (args) => {
    const found = await schema['~standard'].validate(args);
    if (found.issues === undefined) return run(found.value as Readonly<Record<string, unknown>>);
    const lines = found.issues.map(({ path = [], message }) => {
      const keys = path.map((part) => String(isRecord(part) ? part.key : part));
      return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
    });
    throw new Error(`The arguments are wrong. ${lines.join('; ')}`);
  };
}

/**
 * Makes a tool of a function with one object as its argument. Throws if it has no name. A doc comment inside the
 * function is part of its source, so it is found; one before it is given as `doc`.
 */
export function makeLocalTool(run: ToolFunction, options: ToolOptions = {}): LocalTool {
  const comment = options.doc ?? /\/\*\*[\s\S]*?\*\//.exec(run.toString())?.[0] ?? '';
  const read = readDoc(comment);
  const { name = run.name, description = read.description, parameters = read.parameters } = options;
  if (!/^[\w-]{1,64}$/.test(name)) throw new Error('A tool needs a name: letters, digits, "_" or "-".');
  if (isSchema(parameters))
    return { name, description, parameters: jsonSchemaOf(parameters), run: checked(run, parameters) };
  return { name, description, parameters, run };
}
