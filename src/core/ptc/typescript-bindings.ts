/** Declarations of tools in TypeScript: what a model reads to write a call, and what a compiler checks. */
import type { Binding } from './binding-names.ts';
import { commentText, typeOfSchema } from './schema-types.ts';

const isOptional = ({ required }: Binding['tool']['parameters']): boolean =>
  !Array.isArray(required) || required.length === 0;

const plainTypes = /^(string|number|boolean|null|never|Array<.*)$/;

function signature({ tool, path }: Binding): string {
  const written = typeOfSchema(tool.parameters);
  // Arguments are an object for every schema.
  const args = plainTypes.test(written) ? 'Record<string, unknown>' : written;
  const result = tool.output === undefined ? 'unknown' : typeOfSchema(tool.output);
  return `${path.at(-1) ?? ''}(args${isOptional(tool.parameters) ? '?' : ''}: ${args}): Promise<${result}>`;
}

/** One call with its description: the answer of `tools.describe`. */
export const describeBinding = (binding: Binding): string =>
  `/** ${commentText(binding.tool.description)} */\ntools.${[...binding.path.slice(0, -1), signature(binding)].join('.')}`;

const member = (binding: Binding, indent: string): string => {
  const { name, description } = binding.tool;
  const original = name === binding.path.at(-1) ? '' : ` Tool: ${commentText(name)}.`;
  return `${indent}/** ${commentText(description)}${original} */\n${indent}${signature(binding)};`;
};

/** A declaration file of the whole `tools` object. */
export function typescriptBindings(bindings: readonly Binding[]): string {
  const own = bindings.filter(({ path }) => path.length === 1);
  const servers = new Map<string, Binding[]>();
  for (const binding of bindings) {
    const [server = ''] = binding.path;
    if (binding.path.length === 2) servers.set(server, [...(servers.get(server) ?? []), binding]);
  }
  const modules = [...servers].map(
    ([server, all]) => `  readonly ${server}: {\n${all.map((each) => member(each, '    ')).join('\n')}\n  };`,
  );
  return [
    'export declare class ToolError extends Error {',
    '  readonly tool: string;',
    '  readonly structured: unknown;',
    '}',
    'export interface Tools {',
    ...own.map((each) => member(each, '  ')),
    ...modules,
    '  search(text: string): Promise<ReadonlyArray<{ name: string; description: string }>>;',
    '  describe(name: string): Promise<string>;',
    '  ls(text?: string): Promise<ReadonlyArray<string>>;',
    '  cat(path: string): Promise<string>;',
    '}',
    'export declare function call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<unknown>;',
    'export declare const tools: Tools;',
    '',
  ].join('\n');
}
