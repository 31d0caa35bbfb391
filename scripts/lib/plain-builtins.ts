/**
 * Node's own modules are taken as they are. An `import` of one makes Node read every getter it has, to find what it exports,
 * and several load whole rooms of Node that nothing here asks for: `node:http` brings a client of WebSockets, `node:crypto`
 * the cryptography of browsers. That is a good part of the time until something answers.
 */
import { parseAst } from 'vite';

type Declaration = Extract<ReturnType<typeof parseAst>['body'][number], { type: 'ImportDeclaration' }>;

const nameOf = (name: { type: string; name?: string; value?: unknown }): string =>
  name.type === 'Identifier' ? String(name.name) : JSON.stringify(name.value);

function takenPlainly({ source, specifiers }: Declaration, onOldNode: boolean): string {
  const name = JSON.stringify(source.value);
  const module = onOldNode
    ? `(globalThis.process.getBuiltinModule?.(${name}) ?? (await import(${name})).default)`
    : `globalThis.process.getBuiltinModule(${name})`;
  const members: string[] = [];
  const patterns: string[] = [];
  for (const one of specifiers) {
    const member = one.type === 'ImportSpecifier' ? nameOf(one.imported) : 'default';
    if (member === 'default') patterns.push(one.local.name);
    else members.push(member === one.local.name ? member : `${member}: ${one.local.name}`);
  }
  if (members.length > 0) patterns.push(`{ ${members.join(', ')} }`);
  if (patterns.length === 0) return '';
  return `const ${patterns.map((pattern) => `${pattern} = ${module}`).join(', ')};`;
}

/** `code` with its imports of Node's modules replaced. `onOldNode`: it must run before Node 20.16 as well. */
export function withPlainBuiltins(code: string, onOldNode = false): string {
  const imports = parseAst(code).body.flatMap((one) =>
    one.type === 'ImportDeclaration' && one.source.value.startsWith('node:') ? [one] : [],
  );
  return imports.reduceRight(
    (text, one) => `${text.slice(0, one.start)}${takenPlainly(one, onOldNode)}${text.slice(one.end)}`,
    code,
  );
}

interface Chunk {
  code?: string;
  readonly name?: string;
}

/** `onOldNode`: names of the chunks that find out how old Node is. */
export const plainBuiltins = (onOldNode: readonly string[]) => ({
  name: 'kennel:plain-builtins',
  generateBundle(_options: unknown, bundle: Record<string, Chunk>) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.code === undefined) continue;
      chunk.code = withPlainBuiltins(chunk.code, onOldNode.includes(chunk.name ?? ''));
    }
  },
});
