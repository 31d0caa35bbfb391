/**
 * Compares translations of host texts with the host's source: each must still exist there, and most texts
 * must be translated.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import type { HostSentences } from '../src/language/host-sentences.ts';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['src/core', 'src/services', 'src/host', 'src/contract'];

interface HostText {
  readonly file: string;
  /** Placeholders are `{}`. */
  readonly text: string;
  /** Whether it is the message or hint of an error, which users read. */
  readonly ofError: boolean;
}

const words = /\p{Ll}{2}/u;

function written(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map((span) => `{}${span.literal.text}`)].join('');
}

/**
 * Matches `appError('code', 'What happened.', { hint: 'What next.' })`, and the same for problems and
 * refusals.
 */
function isOfError(node: ts.Node): boolean {
  let at = node.parent;
  while (ts.isConditionalExpression(at) || ts.isParenthesizedExpression(at)) at = at.parent;
  if (ts.isPropertyAssignment(at)) return at.name.getText() === 'hint' || at.name.getText() === 'message';
  return ts.isCallExpression(at) && at.expression.getText() === 'appError' && at.arguments[0] !== node;
}

export function hostTexts(): HostText[] {
  const found: HostText[] = [];
  for (const folder of folders) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const file = `${folder}/${name.split(path.sep).join('/')}`;
      const source = ts.createSourceFile(
        file,
        readFileSync(path.join(root, file), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      );
      const look = (node: ts.Node): void => {
        if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
        const text = written(node);
        if (text !== null && words.test(text)) found.push({ file, text, ofError: isOfError(node) });
        ts.forEachChild(node, look);
      };
      look(source);
    }
  }
  return found;
}

const hole = /\{[=~]?\w*\}/g;
const weightOf = (text: string): number => text.replace(hole, '').length;
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const shapeOf = (text: string): RegExp => new RegExp(`^${text.split('{}').map(quoted).join('[^]*')}$`);
/**
 * Minimal share of a template that one place in the host's source must contain; the rest may be inserted from
 * other places.
 */
const inOnePlace = 0.6;

/** Templates that no longer occur in the host's source. */
export function unsaidTemplates(table: HostSentences, texts: readonly string[]): string[] {
  // A sentence also counts if other text precedes or follows it.
  const all = texts.flatMap((text) => [text, text.trim(), ...text.split(/(?<=[.!?:]) /)]);
  const exact = new Set(all);
  const shapes = all
    .filter((text) => text.includes('{}'))
    .map((text) => ({ shape: shapeOf(text), weight: weightOf(text) }));
  const isSaid = (english: string): boolean =>
    exact.has(english.replace(hole, '{}')) ||
    shapes.some(({ shape, weight }) => weight >= weightOf(english) * inOnePlace && shape.test(english));
  const isSaidInRow = (english: string): boolean =>
    english.split(/(?<=[.!?]) (?=\p{Lu})/u).every((one) => isSaid(one) || /^\{[=~]\w+\}$/.test(one));
  return Object.keys(table).filter((english) => !isSaid(english) && !isSaidInRow(english));
}
