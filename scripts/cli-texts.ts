/** Finds sentences in the code of the command line that belong in `src/language`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { Finding } from './lib/finding.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = 'src/cli';

/** Texts that stay as they are, by file or folder, and why. */
const exceptions: readonly (readonly [file: string, text: RegExp, why: string])[] = [
  [
    'src/cli/commands/first-exchange.ts',
    /hello! Who are you\?$/,
    'message to a scripted agent, which knows English',
  ],
  ['src/cli/completion/', /./, 'scripts of the shells'],
  ['src/cli/kennel.ts', /^kennel needs Node /, 'printed by a Node that cannot load the catalogs'],
  ['src/cli/newer-node.ts', /^kennel could not start /, 'printed by a Node that cannot load the catalogs'],
];

/** Properties whose values are command lines. */
const commandLines = new Set(['examples', 'flags', 'args']);
/** Methods whose argument no person reads: the reason of a stop is logged, commander's errors get other texts. */
const unread = new Set(['stop', 'error']);
/** The registry names commands by their words alone. */
const registry = 'src/cli/registry.ts';
/** Texts that are command lines themselves. */
const commandLine = /^[\s"]*(?:kennel|puppy|curl|--?[a-z]|(?:agent|chat) [a-z]+ |0\/v1\/)/;

/** Two words, one of which may be a placeholder, or one word as a sentence. */
const words = /\p{L}{3,}[,:;]? +(?:0|\p{L}{2,})|0[,:;]? +\p{L}{3,}|^\p{Lu}\p{Ll}+[.!?…]$/u;
/** Units, and the name of the program before a value. */
const neutral = /\b(?:[KM]iB|min)\b|^(?:kennel|puppy):?(?= 0\n?$)/g;

/** Text of a literal; a placeholder is `0`. */
function literalText(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => `0${literal.text}`)].join('');
}

/** No person reads it: an import, a type, a command line, or the message of a bug. */
function isCode(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isPropertyAssignment(node)) return commandLines.has(node.name.getText());
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return unread.has(node.expression.name.text);
  return ts.isNewExpression(node) && node.expression.getText() === 'Error';
}

const isException = (file: string, text: string): boolean =>
  file === registry ||
  commandLine.test(text) ||
  exceptions.some(([where, pattern]) => file.startsWith(where) && pattern.test(text));

/** `file` is relative to the project. */
export function cliTexts(file: string, source: string): Finding[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Finding[] = [];
  const look = (node: ts.Node): void => {
    if (isCode(node)) return;
    const text = literalText(node);
    if (text !== null && words.test(text.replace(neutral, '')) && !isException(file, text)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const says = `“${text.trim().slice(0, 60)}” belongs into src/language: copy('cliTasks.failed', { why })`;
      found.push({ file, line, rule: 'text-of-a-command', says });
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return found;
}

export const cliTextsOfTree = (): Finding[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => cliTexts(file, readFileSync(path.join(root, file), 'utf8')));
