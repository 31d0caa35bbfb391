/** Finds user-visible texts in the window's or the shell's code that belong in `src/language`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { Finding } from './lib/finding.ts';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['src/renderer', 'src/main'];

/** Attributes and properties that people read or hear: any word in them is a text. */
const shownNames = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'aria-placeholder',
  'title',
  'label',
  'placeholder',
  'alt',
  'hint',
  'heading',
  'message',
  'caption',
  'description',
  'text',
  'words',
  'verb',
  'question',
  'legend',
  'summary',
  'note',
  'body',
  'detail',
  'tooltip',
]);
/** Never shown, whatever their value. */
const hiddenNames = new Set(['className', 'data-testid', 'd', 'id', 'key', 'rel', 'style', 'type', 'role']);
/** Texts for logs and developers. */
const forMakers =
  /^(log|warn|info|debug|error|trace|Error|TypeError|assert|matchMedia|matches|querySelector|querySelectorAll|closest)$/;
/** Errors for programs with invalid requests, and system files: the window never shows them. */
const forPrograms: Readonly<Record<string, RegExp>> = {
  'src/main/app-host.ts': /^another one takes over/,
  'src/main/desktop-rows.ts': /^This does not fit/,
  'src/main/page-restrictions.ts': /^the copy buttons/,
  'src/main/ipc-gate.ts': /./,
  'src/main/login-item.ts': /^(Comment=|env )/,
  'src/main/page-protocol.ts': /./,
  'src/main/page-subscriptions.ts': /./,
  'src/main/remote-host.ts': /^(There is no|A client of this kind)/,
};

/** Units and keys contain no three lower-case letters in a row; the path of a drawing starts with numbers. */
const word = /\p{Ll}{3}/u;
const drawing = /^M[\d.]+[\d\s]/;
/** Matches "Copy the text", "Nothing yet." and "0 waiting", but not "Enter", "button" or "a-b". */
const sentence =
  /^\s*(\p{Lu}\S*\s+\S.*|[\p{L}\d][\p{L}\d’,:]*(\s+[\p{L}\d’,:]+)+[.!?…]?|\p{Lu}\p{Ll}+[.!?…])\s*$/su;
/** A single capitalised word, such as the label of a button or field. */
const capital = /^\p{Lu}\p{Ll}+…?$/u;
/** Identifiers, such as a part of a key or of the page. */
const name = /^[\p{Ll}\d]+([-.]?\p{Lu}?[\p{Ll}\d]+)*$/u;
const isName = (text: string): boolean => name.test(text) && /[-.\p{Lu}]/u.test(text);
/** Names of products and commands, which are never translated. */
const proper = /^(Kennel|LM Studio|kennel [a-z].*)$/;

/** Literal text of the node; a placeholder counts as a number. */
function written(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map((span) => `0${span.literal.text}`)].join('');
}

const nameOf = (node: ts.Node | undefined): string =>
  node !== undefined && (ts.isIdentifier(node) || ts.isStringLiteral(node) || ts.isJsxNamespacedName(node))
    ? node.getText().replace(/^['"]|['"]$/g, '')
    : '';

function calledName(call: ts.CallExpression | ts.NewExpression): string {
  const { expression } = call;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : nameOf(expression);
}

function isTranslation(call: ts.CallExpression): boolean {
  const { expression } = call;
  const called = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
  return nameOf(called) === 't';
}

/** Whether the node and everything below it is code, not text. */
function isCode(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isTaggedTemplateExpression(node) || ts.isElementAccessExpression(node)) return true;
  if (ts.isCaseClause(node)) return false;
  if (ts.isJsxAttribute(node)) return hiddenNames.has(nameOf(node.name));
  if (ts.isPropertyAssignment(node)) return hiddenNames.has(nameOf(node.name));
  if (ts.isNewExpression(node) || (ts.isCallExpression(node) && !isTranslation(node)))
    return forMakers.test(calledName(node));
  return false;
}

/** Goes up through conditional branches to the node that takes the value. */
function taker(node: ts.Node): ts.Node {
  let at = node.parent;
  while (
    ts.isConditionalExpression(at) ||
    ts.isParenthesizedExpression(at) ||
    ts.isJsxExpression(at) ||
    (ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
  )
    at = at.parent;
  return at;
}

function ruleFor(node: ts.Node, text: string): string | null {
  if (!word.test(text) || drawing.test(text) || isName(text) || proper.test(text)) return null;
  const by = taker(node);
  if (ts.isPropertyAssignment(by) && by.name === node) return null;
  if (ts.isCaseClause(by) || ts.isLiteralTypeNode(by)) return null;
  const shown = (ts.isJsxAttribute(by) || ts.isPropertyAssignment(by)) && shownNames.has(nameOf(by.name));
  if (shown) return 'text-in-a-prop';
  if (ts.isJsxAttribute(by) && capital.test(text)) return 'text-in-a-prop';
  return sentence.test(text) ? 'raw-sentence' : null;
}

/** `file` is relative to the project. */
export function rawTexts(file: string, text: string): Finding[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Finding[] = [];
  const look = (node: ts.Node): void => {
    if (isCode(node)) return;
    const said = written(node);
    const rule = said === null || forPrograms[file]?.test(said) ? null : ruleFor(node, said);
    if (rule !== null) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ file, line, rule, says: `“${said?.slice(0, 60)}” belongs into src/language` });
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

export function rawTextsOfTree(): Finding[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
      .filter((file) => /[.]tsx?$/.test(file) && !/[.]test[.]tsx?$/.test(file))
      .sort()
      .flatMap((file) => rawTexts(file, readFileSync(path.join(root, file), 'utf8'))),
  );
}

if (import.meta.main) {
  const found = rawTextsOfTree();
  for (const { file, line, rule, says } of found) console.error(`${file}:${line} ${rule}: ${says}`);
  console.log(`${found.length} raw texts`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
