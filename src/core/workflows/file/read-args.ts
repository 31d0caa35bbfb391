/** Reads the argument declarations of a file; the engine binds the arguments of a run to them. */
import { say } from '../../../language/say.ts';
import { writeStable } from '../../lib/stable-json.ts';
import { isOfType } from './argument-type.ts';
import type { ArgDefinition, Json, WorkflowDefinition } from './definition.ts';
import { argFields } from './fields.ts';
import { argPattern, isName } from './names.ts';
import { asJson, type Reader } from './reader.ts';

const fits = (definition: ArgDefinition, value: Json): boolean =>
  isOfType(definition.type, value) &&
  (definition.values?.some((one) => writeStable(one) === writeStable(value)) ?? true);

/** Name of the environment variable without its prefix: `reply-to` becomes `PUPPY_ARG_REPLY_TO`. */
export const variableOf = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');

function readArg(reader: Reader, name: string, value: unknown): ArgDefinition | null {
  const place = ['args', name];
  if (!isName(argPattern, name) || variableOf(name) === '') {
    reader.error('wrong-name', '', place, say('workflowFiles.wrongArgument', { name }));
    return null;
  }
  const fields = reader.parse(
    argFields(),
    value ?? {},
    place,
    '',
    say('workflowFiles.partArgument', { name }),
  );
  if (!fields) return null;
  const definition: ArgDefinition = {
    type: fields.type ?? 'any',
    description: fields.description ?? null,
    values: fields.enum?.map(asJson) ?? null,
    ...(fields.default === undefined ? {} : { default: asJson(fields.default) }),
  };
  if (definition.default !== undefined && !fits(definition, definition.default))
    reader.error('wrong-default', '', [...place, 'default'], say('workflowFiles.wrongDefault', { name }));
  if (definition.default !== undefined && fields.required === true)
    reader.error('wrong-default', '', place, say('workflowFiles.requiredDefault', { name }));
  return definition;
}

/** Refuses two names with one variable (`a-b` and `a_b`), because one would hide the other. */
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
        say('workflowFiles.sameVariable', { one: other, two: name }),
      );
    variables.set(variableOf(name), name);
    const definition = readArg(reader, name, value);
    if (definition) args.push([name, definition]);
  }
  return Object.fromEntries(args);
}
