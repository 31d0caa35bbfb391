/** Arguments of a workflow: how they are declared, and what a run makes of those it was given, before anything starts. */
import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { didYouMean } from '../../lib/did-you-mean.ts';
import type { ArgDefinition, Json, WorkflowDefinition } from './definition.ts';
import { argFields } from './fields.ts';
import { argPattern, isName } from './names.ts';
import { asJson, type Reader } from './reader.ts';

function isOfType(type: ArgDefinition['type'], value: Json): boolean {
  if (type === 'any') return true;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

const same = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right);
const fits = (definition: ArgDefinition, value: Json): boolean =>
  isOfType(definition.type, value) && (definition.values?.some((one) => same(one, value)) ?? true);

export const variableOf = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');

function readArg(reader: Reader, name: string, value: unknown): ArgDefinition | null {
  const place = ['args', name];
  if (!isName(argPattern, name)) {
    reader.error('wrong-name', '', place, `"${name}" cannot be the name of an argument.`);
    return null;
  }
  const fields = reader.parse(argFields, value ?? {}, place, '', `Argument "${name}"`);
  if (!fields) return null;
  const definition: ArgDefinition = {
    type: fields.type ?? 'any',
    description: fields.description ?? null,
    values: fields.enum?.map(asJson) ?? null,
    ...(fields.default === undefined ? {} : { default: asJson(fields.default) }),
  };
  if (definition.default !== undefined && !fits(definition, definition.default))
    reader.error(
      'wrong-default',
      '',
      [...place, 'default'],
      `The default of argument "${name}" does not fit its type.`,
    );
  if (definition.default !== undefined && fields.required === true)
    reader.error('wrong-default', '', place, `Argument "${name}" is required and has a default.`);
  return definition;
}

/** Two names with one variable (`a-b` and `a_b`) would hide each other. */
export function readArgs(
  reader: Reader,
  values: Readonly<Record<string, unknown>>,
): WorkflowDefinition['args'] {
  const variables = new Map<string, string>();
  const args: [string, ArgDefinition][] = [];
  for (const [name, value] of Object.entries(values)) {
    const other = variables.get(variableOf(name));
    if (other !== undefined)
      reader.error(
        'same-variable',
        '',
        ['args', name],
        `Arguments "${other}" and "${name}" have one variable.`,
      );
    variables.set(variableOf(name), name);
    const definition = readArg(reader, name, value);
    if (definition) args.push([name, definition]);
  }
  return Object.fromEntries(args);
}

const refuse = (message: string, name: string, hint?: string): Result<never, AppError> =>
  err(appError('invalid_input', message, { where: `args.${name}`, ...(hint === undefined ? {} : { hint }) }));

function declared(name: string, arg: ArgDefinition, given: Json | undefined): Result<Json, AppError> {
  const value = given === undefined ? arg.default : given;
  if (value === undefined)
    return refuse(`Argument "${name}" is missing.`, name, arg.description ?? undefined);
  if (fits(arg, value)) return ok(value);
  const allowed = arg.values?.map((one) => JSON.stringify(one)).join(', ');
  return refuse(
    `Argument "${name}" must be ${allowed === undefined ? `of type ${arg.type}` : `one of ${allowed}`}.`,
    name,
  );
}

/** All declared arguments with a value, then the extra ones where the file allows them. */
export function resolveArgs(
  definition: WorkflowDefinition,
  given: Readonly<Record<string, Json>>,
): Result<{ readonly [name: string]: Json }, AppError> {
  const values: [string, Json][] = [];
  for (const [name, arg] of Object.entries(definition.args)) {
    const value = declared(name, arg, Object.hasOwn(given, name) ? given[name] : undefined);
    if (!value.ok) return value;
    values.push([name, value.value]);
  }
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(definition.args, name)) continue;
    if (!definition.extraArgs || !isName(argPattern, name)) {
      const meant = didYouMean(name, Object.keys(definition.args));
      const hint = meant === null ? undefined : `Did you mean "${meant}"?`;
      return refuse(`This workflow has no argument "${name}".`, name, hint);
    }
    values.push([name, value]);
  }
  return ok(Object.fromEntries(values));
}
