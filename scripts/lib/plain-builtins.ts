/**
 * Replaces imports of Node's modules by `process.getBuiltinModule`. An `import` makes Node read every getter
 * to find the exports, and some getters load large unused modules: `node:http` loads a WebSocket client,
 * `node:crypto` the web cryptography. That is a large part of the start-up time.
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

/** `code` with replaced imports of Node's modules. `onOldNode`: the code must also run before Node 20.16. */
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

/** `onOldNode`: names of the chunks that check the Node version. */
export const plainBuiltins = (onOldNode: readonly string[]) => ({
  name: 'kennel:plain-builtins',
  generateBundle(_options: unknown, bundle: Record<string, Chunk>) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.code === undefined) continue;
      chunk.code = withPlainBuiltins(chunk.code, onOldNode.includes(chunk.name ?? ''));
    }
  },
});
