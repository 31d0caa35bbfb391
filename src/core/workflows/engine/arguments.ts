/** Checks the arguments of a run or a sub-workflow before anything runs, and fills in defaults. */

import { didYouMean } from '../../../contract/did-you-mean.ts';
import { type AppError, appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { writeStable } from '../../lib/stable-json.ts';
import { isOfType } from '../file/argument-type.ts';
import type { ArgDefinition, Json, WorkflowDefinition } from '../file/definition.ts';
import { isExactRecord, parseExact, stringifyExact } from '../pipeline/exact-json.ts';

type Arguments = { readonly [name: string]: Json };

function wrong(name: string, arg: ArgDefinition, value: Json): AppError | null {
  if (!isOfType(arg.type, value)) {
    return fail('invalid_input', 'workflows.invalidArgumentType', { name, type: arg.type }, { where: name });
  }
  const text = writeStable(value);
  if (!arg.values || arg.values.some((one) => writeStable(one) === text)) return null;
  const choices = arg.values.map((one) => stringifyExact(one)).join(', ');
  return fail('invalid_input', 'workflows.invalidArgumentValue', { name, values: choices }, { where: name });
}

/** Parses JSON text; empty text means no arguments. */
export function argumentsFrom(text: string): Result<Arguments> {
  if (text.trim() === '') return ok({});
  const read = parseExact(text);
  if (read.ok && isExactRecord(read.value)) return ok(read.value as Arguments);
  const why = read.ok ? say('workflows.noJsonObject') : read.error;
  return err(fail('invalid_input', 'workflows.invalidArgsJson', { why }));
}

export function bindArguments(definition: WorkflowDefinition, given: Arguments): Result<Arguments> {
  const known = Object.keys(definition.args);
  const strange = definition.extraArgs ? undefined : Object.keys(given).find((name) => !known.includes(name));
  if (strange !== undefined) {
    const message = say('workflows.unknownArgument', { name: strange });
    return err(appError('invalid_input', message, { where: strange, ...meant(strange, known) }));
  }
  const bound = new Map<string, Json>(Object.entries(given));
  for (const [name, arg] of Object.entries(definition.args)) {
    if (!bound.has(name) && arg.default === undefined) {
      return err(fail('invalid_input', 'workflows.argumentMissing', { name }, { where: name }));
    }
    const value = bound.get(name) ?? arg.default ?? null;
    const problem = wrong(name, arg, value);
    if (problem) return err(problem);
    bound.set(name, value);
  }
  return ok(Object.fromEntries(bound));
}

function meant(strange: string, known: readonly string[]): { hint?: HostMessage } {
  const close = didYouMean(strange, known);
  return close === null ? {} : { hint: say('workflows.didYouMeanArgument', { name: close }) };
}
