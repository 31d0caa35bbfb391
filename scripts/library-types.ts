/**
 * Types of the library for programs in TypeScript. They need none of its dependencies: types that zod derives
 * are expanded.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');
const written = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

/** Recursive types that zod schemas name instead of deriving: an expanded type refers to them by name. */
const namedTypes: Readonly<Record<string, string>> = {
  AppError: 'contract/errors.ts',
  HostText: 'language/host-message.ts',
  MessageRef: 'language/host-message.ts',
};

function importsOf(text: string, own: readonly string[], source: ts.SourceFile): string {
  const here = path.dirname(source.fileName);
  return Object.entries(namedTypes)
    .filter(([name]) => !own.includes(name) && new RegExp(`\\b${name}\\b`).test(text))
    .map(([name, file]) => {
      const from = path.relative(here, path.join(root, 'src', file));
      return `import type { ${name} } from '${from.startsWith('.') ? from : `./${from}`}';\n`;
    })
    .join('');
}

function withoutZod(checker: ts.TypeChecker, source: ts.SourceFile): string {
  const module = checker.getSymbolAtLocation(source);
  const exported = module ? checker.getExportsOfModule(module) : [];
  const lines = exported
    .filter((symbol) => symbol.flags & ts.SymbolFlags.TypeAlias)
    .map((symbol) => {
      const type = checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), undefined, written);
      return `export type ${symbol.name} = ${type};\n`;
    });
  const text = lines.join('') || 'export {};\n';
  return (
    importsOf(
      text,
      exported.map(({ name }) => name),
      source,
    ) + text
  );
}

/** Throws if the library does not compile. */
export function writeLibraryTypes(outDir: string): void {
  const read = ts.readConfigFile(path.join(root, 'tsconfig.library.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const program = ts.createProgram(fileNames, { ...options, outDir });
  const wrong = ts.getPreEmitDiagnostics(program);
  if (wrong.length > 0) throw new Error(ts.formatDiagnostics(wrong, ts.createCompilerHost(options)));
  const checker = program.getTypeChecker();
  program.emit(undefined, (file, text, _mark, _onError, [source] = []) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, source && /from ['"]zod['"]/.test(text) ? withoutZod(checker, source) : text);
  });
}
