/**
 * Finds calls that a model without native calls writes as text: `tool_name(arg1=value1, ...)`, outside code
 * fences, of existing tools. Linear in the text; anything that only resembles a call stays text.
 */
import { isRecord } from '../../contract/is-record.ts';
import type { LoopTool } from './loop-tool.ts';
import { TextReader } from './text-value.ts';

export interface TextCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type Named = Pick<LoopTool, 'name' | 'parameters'>;

const toolAliases: Readonly<Record<string, string>> = { file_read: 'read_file', file_write: 'write_file' };
const argumentAliases: Readonly<Record<string, string>> = { filepath: 'path' };

/** A fence at the start of a line, or a name with an opening bracket. */
const mark = /^ {0,3}(`{3,}|~{3,})|(?<![\w.-])([A-Za-z_][\w-]*)\(/gm;

/** Most reads per character before the rest is left as text. */
const looks = 4;

function endOfFence(text: string, from: number, fence: string): number {
  let at = text.indexOf('\n', from);
  while (at !== -1) {
    const next = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, next === -1 ? text.length : next).trim();
    if (line.length >= fence.length && line === (fence[0] ?? '').repeat(line.length)) break;
    at = next;
  }
  const end = at === -1 ? -1 : text.indexOf('\n', at + 1);
  return end === -1 ? text.length : end;
}

function argumentName(given: string, tool: Named): string {
  const known = tool.parameters.properties;
  if (isRecord(known) && Object.hasOwn(known, given)) return given;
  return (Object.hasOwn(argumentAliases, given) ? argumentAliases[given] : undefined) ?? given;
}

/** Reads from after the opening bracket to after the closing one; `null` if it is no call. */
function readArguments(reader: TextReader, tool: Named): Readonly<Record<string, unknown>> | null {
  const fields: Record<string, unknown> = {};
  for (;;) {
    reader.space();
    if (reader.take(')')) return fields;
    const name = reader.name();
    reader.space();
    if (!name || !reader.take('=')) return null;
    reader.space();
    const found = reader.value();
    if (!found) return null;
    if (name !== '__proto__') fields[argumentName(name, tool)] = found.value;
    reader.space();
    if (reader.take(')')) return fields;
    if (!reader.take(',')) return null;
  }
}

export function parseTextCalls(text: string, tools: readonly Named[]): readonly TextCall[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const find = (name: string): Named | undefined =>
    byName.get(name) ?? byName.get((Object.hasOwn(toolAliases, name) ? toolAliases[name] : undefined) ?? '');
  const calls: TextCall[] = [];
  const pattern = new RegExp(mark);
  let budget = text.length * looks;
  for (let found = pattern.exec(text); found && budget > 0; found = pattern.exec(text)) {
    const [, fence, name] = found;
    if (fence) {
      pattern.lastIndex = endOfFence(text, pattern.lastIndex, fence);
      continue;
    }
    const tool = find(name ?? '');
    if (!tool) continue;
    const reader = new TextReader(text, pattern.lastIndex, budget);
    const args = readArguments(reader, tool);
    budget = reader.budget;
    if (!args) continue;
    calls.push({ name: tool.name, arguments: args });
    pattern.lastIndex = reader.at;
  }
  return calls;
}
