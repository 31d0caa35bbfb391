/**
 * Names of tools in code: `tools.read_file`, and `tools.<server>.<tool>` for a tool `server__tool`. A character that no
 * identifier allows becomes `_`, and a name that is taken gets a number.
 */
import type { JsonSchema } from '../models/model-ports.ts';

/** A tool as its bindings present it. All texts are untrusted. */
export interface BoundTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Schema of the result, if the tool has one. */
  readonly output?: JsonSchema;
}

export interface Binding {
  readonly tool: BoundTool;
  /** One or two identifiers. */
  readonly path: readonly string[];
  /** The name was taken by another tool, so this one has a number. */
  readonly isRenamed: boolean;
}

/** Functions of `tools` itself, and names that no member may have in JavaScript or Python. */
const reserved: ReadonlySet<string> = new Set(
  (
    'search describe ls cat call tools ToolError _t _call _unset _NotRequired then constructor prototype __proto__ toString valueOf hasOwnProperty toJSON ' +
    'and as assert async await break case catch class const continue debugger def default del delete do elif else enum ' +
    'except export extends False finally for from function global if implements import in instanceof interface is lambda ' +
    'let match new None nonlocal not null or package pass private protected public raise return static super switch this ' +
    'str int float bool object throw True true false try type typeof var void while with yield arguments eval'
  ).split(' '),
);

export function safeIdentifier(name: string): string {
  // Python replaces names in classes that begin with two underscores.
  const plain = name
    .normalize('NFKC')
    .replace(/[^A-Za-z0-9_]/g, '_')
    .replace(/^__+/, '_')
    .slice(0, 80);
  const led = /^[0-9]/.test(plain) || plain === '' ? `_${plain}` : plain;
  return reserved.has(led) || /^_Server\d+$/.test(led) ? `${led}_` : led;
}

export function freeIdentifier(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n += 1) if (!taken.has(`${wanted}_${n}`)) return `${wanted}_${n}`;
}

const pathOf = (name: string): readonly string[] => {
  const at = name.indexOf('__');
  const parts = at > 0 && at + 2 < name.length ? [name.slice(0, at), name.slice(at + 2)] : [name];
  return parts.map(safeIdentifier);
};

/** In the order of the tools: the first tool of a name keeps it. */
export function bindTools(tools: readonly BoundTool[]): readonly Binding[] {
  // Servers first: their names are those of modules, which a tool must not hide.
  const servers = new Set(tools.flatMap(({ name }) => pathOf(name).slice(0, -1)));
  const taken = new Map<string, Set<string>>([['', new Set(servers)]]);
  return tools.map((tool) => {
    const path = pathOf(tool.name);
    const module = path.slice(0, -1).join('.');
    const names = taken.get(module) ?? new Set();
    taken.set(module, names);
    const wanted = path.at(-1) ?? '_';
    const name = freeIdentifier(wanted, names);
    names.add(name);
    return { tool, path: [...path.slice(0, -1), name], isRenamed: name !== wanted };
  });
}
