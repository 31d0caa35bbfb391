/**
 * Arguments for a tool: a copy of the model's input, coerced to the tool's schema and frozen, or an error
 * text from which the model can correct its call. The model's input stays unchanged.
 */
import { isRecord } from '../../contract/is-record.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ToolCallBlock } from '../models/messages.ts';
import { checkAgainst } from './json-schema.ts';
import type { SchemaIssue } from './json-schema-walk.ts';
import type { LoopTool } from './loop-tool.ts';
import { deepFreeze, plainCopy } from './plain-copy.ts';

type Arguments = Readonly<Record<string, unknown>>;

const maxShown = 2_000;
const maxIssues = 20;

function shown(args: unknown): string {
  const text = JSON.stringify(args, null, 2) ?? String(args);
  return text.length > maxShown ? `${text.slice(0, maxShown)}… (${text.length} characters)` : text;
}

function complaint(tool: string, issues: readonly SchemaIssue[], received: unknown): string {
  const lines = issues.slice(0, maxIssues).map(({ path, message }) => `- ${path} ${message}`);
  const more = issues.length > maxIssues ? [`- and ${issues.length - maxIssues} more`] : [];
  return [
    `The arguments of ${tool} do not fit its schema:`,
    ...lines,
    ...more,
    '',
    `Received: ${shown(received)}`,
  ].join('\n');
}

export function validateArguments(
  tool: Pick<LoopTool, 'name' | 'parameters' | 'prepareArguments'>,
  call: Pick<ToolCallBlock, 'arguments' | 'argumentsError'>,
): Result<Arguments, string> {
  if (call.argumentsError !== undefined) {
    return err(`The call of ${tool.name} could not be read: ${call.argumentsError}`);
  }
  const copy = plainCopy(call.arguments);
  if (!copy || !isRecord(copy.value)) return err(`The arguments of ${tool.name} are not plain data.`);
  const prepared: unknown = tool.prepareArguments ? tool.prepareArguments(copy.value) : copy.value;
  const { value, issues } = checkAgainst(tool.parameters, prepared);
  if (issues.length > 0) return err(complaint(tool.name, issues, call.arguments));
  return isRecord(value) ? ok(deepFreeze(value)) : err(`The arguments of ${tool.name} are not an object.`);
}
