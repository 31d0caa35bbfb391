/**
 * Code rules that no linter here knows: purity of core, complete import paths, no left-overs, no raw texts;
 * file lengths are reported only.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cliTextsOfTree } from './cli-texts.ts';
import { ownSubjects, subjectFault } from './lib/commit-subjects.ts';
import { repeatedExports } from './lib/exported-names.ts';
import type { Finding } from './lib/finding.ts';
import { rawTextsOfTree } from './raw-texts.ts';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['src', 'test', 'e2e', 'bench', 'scripts'];
/** The first file contains one violation per rule on purpose; the others define the seed. */
const exempt = ['test/lint/code-rules.test.ts', 'test/fakes/test-run.ts', 'test/scripts/seed-list.test.ts'];
/** Recommended maximum: 95 % of the files are shorter. */
const adviceLines = 300;

/** Most dependencies that a unit takes by name. */
const mostDependencies = 6;

interface Rule {
  readonly name: string;
  readonly where: RegExp;
  readonly pattern: RegExp;
  readonly says: string;
  /** The rule checks comments instead of code. */
  readonly isOfComments?: true;
}

const source = /^src\/.*(?<![.]test)[.]tsx?$/;
const coreSource = /^src\/core\/.*(?<![.]test)[.]ts$/;
const anyCode = /[.](ts|tsx|mjs)$/;
const testCode = /^(test|e2e)\/|[.](test|spec)[.]tsx?$|^[a-z.]+[.]config[.]ts$/;
// Split strings, so that this file does not match itself.
const leftOver = new RegExp(`\\b(${'TO'}DO|${'FIX'}ME)\\b`);
const moduleMock = new RegExp(`\\bvi\\s*[.]\\s*(do)?${'mock'}\\s*\\(`, 'i');

const rules: readonly Rule[] = [
  {
    name: 'core-has-no-clock',
    where: coreSource,
    pattern: /\bDate\s*[.]\s*now\b|\bnew Date\(\s*\)|\bperformance\s*[.]/,
    says: 'take the Clock port',
  },
  {
    name: 'same-environment',
    where: /^(src|test|e2e|bench|scripts)\//,
    pattern: /\bprocess[.]env = /,
    says: 'use vi.stubEnv: a replaced object does not reach the process, also in later test files',
  },
  {
    name: 'core-has-no-timer',
    where: coreSource,
    pattern: /\b(setTimeout|setInterval|setImmediate)\s*\(/,
    says: 'take the Clock port',
  },
  {
    name: 'core-has-no-dice',
    where: coreSource,
    pattern: /\bMath\s*[.]\s*random\b|\bcrypto\s*[.]\s*(randomUUID|getRandomValues)\b/,
    says: 'take the Random port',
  },
  { name: 'core-has-no-console', where: coreSource, pattern: /\bconsole\s*[.]/, says: 'take the Log port' },
  {
    name: 'whole-import-path',
    where: /^(src|test|e2e|bench)\/.*[.]tsx?$/,
    pattern:
      /\b(?:from|import)\s*\(?\s*'[.]{1,2}\/(?![^']*[.](?:tsx?|css|json|svg|mjs|cjs|js|html|png)(?:[?][a-z]+)?')[^']*'/,
    says: 'write the extension of a relative import',
  },
  { name: 'no-module-mock', where: anyCode, pattern: moduleMock, says: 'a seam is missing; hand in a fake' },
  {
    name: 'seed-from-the-list',
    where: testCode,
    pattern:
      /\bMath\s*[.]\s*random\b|\bDate\s*[.]\s*now\(\)\s*[%&|^]|\brandomInt\(|\benv[.](?:KENNEL_)?SEED\b|\bconst seed\s*=\s*\d/,
    says: 'take the seed from test/fakes/test-run.ts, which reads test/fixtures/seeds.json',
  },
  {
    name: 'no-retry',
    where: testCode,
    pattern: /(?:^|[{,])\s*retr(?:y|ies):\s*(?:[1-9]|process\b)|--retr(?:y|ies)\b/,
    says: 'a flaky test is a bug: mend it',
  },
  {
    name: 'no-packed-literal',
    where: anyCode,
    // A conditional spread (`...(x ? { a } : {})`) is allowed.
    pattern: /(?:^|[[(,]|\s)\.\.\.(?:\{ [^}]*\}|\[(?!\.\.\.)[^\]]*\])\s*(?:,|$|[}\])])/,
    says: 'write the members themselves, one a line',
  },
  {
    name: 'plain-comment',
    where: anyCode,
    isOfComments: true,
    // The subject comes first; a clause in its place hides what the sentence is about. Questions are allowed.
    pattern:
      /^\s*(?:\/\*\*?|\/\/|\*)\s+(?:Who|Whom|Whose|Whoever|What|There (?:is|are)|Nobody|Somebody|Whatever)\b(?![^.]*[?])/,
    says: 'begin with the subject: name the role or the thing',
  },
  {
    name: 'error-from-a-key',
    where: /^src\/(core|services|host|platform|library|relay|cli|main)\/.*(?<![.]test)[.]ts$/,
    // A literal, or the English message of another error instead of `messageOf(error)`.
    pattern:
      /\b(?:appError|textError|StoreError|BundleFault)\((?:'\w+'|\w+), (?:[`']|(?:\w+[.])?error[.]message\b)/,
    says: "take a text from the catalog: fail('not_found', 'tasks.unknownTask', { id })",
  },
  {
    name: 'plain-words',
    where: anyCode,
    isOfComments: true,
    pattern:
      /(?:^|[^`])\b(?:(?:some|no|every)body|whoever|whomsoever|there (?:is|are)|doors?|houses?|desks?|crews?|shelf|seats?|hands? it over|lives? in|walks?|tame)\b/i,
    says: 'name the role or the thing, in the terms of the field',
  },
  { name: 'no-left-over', where: source, pattern: leftOver, says: 'finish it or take it out' },
];

const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line);

/** `file` is relative to the project, with forward slashes. */
export function checkText(file: string, text: string): Finding[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const found: Finding[] = [];
  for (const rule of rules.filter(({ where }) => where.test(file))) {
    for (const [index, line] of lines.entries()) {
      const isWrongKind = rule.isOfComments
        ? !isComment(line)
        : rule.name !== 'no-left-over' && isComment(line);
      if (isWrongKind) continue;
      if (rule.pattern.test(line)) found.push({ file, line: index + 1, rule: rule.name, says: rule.says });
    }
  }
  return [...found, ...largeDeps(file, text)];
}

/** Interfaces named `…Deps` with more members than a unit may take. */
function largeDeps(file: string, text: string): Finding[] {
  if (!source.test(file)) return [];
  return [...text.matchAll(/^(?:export )?interface (\w+Deps)\b[^{]*[{]\n([\s\S]*?)^[}]/gm)].flatMap(
    (found) => {
      const [, name = '', body = ''] = found;
      const members = body.match(/^ {2}(?:readonly )?\w+[?]?[:(<]/gm)?.length ?? 0;
      if (members <= mostDependencies) return [];
      const line = text.slice(0, found.index).split('\n').length;
      const says = `${name} has ${members} dependencies; split the unit (at most ${mostDependencies})`;
      return [{ file, line, rule: 'few-dependencies', says }];
    },
  );
}

export const isLong = (text: string): boolean => text.replace(/\n$/, '').split('\n').length >= adviceLines;

export function checkTree(): { files: number; longFiles: number; findings: Finding[] } {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /[.](ts|tsx|mjs|css)$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')),
  );
  const files = [...inFolders, ...readdirSync(root).filter((name) => name.endsWith('.config.ts'))];
  const texts = files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
  return {
    files: files.length,
    longFiles: texts.filter(({ text }) => isLong(text)).length,
    findings: texts
      .filter(({ file }) => !exempt.includes(file))
      .flatMap(({ file, text }) => checkText(file, text))
      .concat(repeatedExports(texts))
      .concat(rawTextsOfTree())
      .concat(cliTextsOfTree()),
  };
}

if (import.meta.main) {
  const { files, longFiles, findings: ofTree } = checkTree();
  const findings = [...ofTree, ...ownSubjects(root).flatMap((subject) => subjectFault(subject) ?? [])];
  for (const { file, line, rule, says } of findings) console.error(`${file}:${line} ${rule}: ${says}`);
  const short = (100 * (1 - longFiles / files)).toFixed(1);
  console.log(
    `${files} files, ${findings.length} findings; ${short} % have fewer than ${adviceLines} lines (advice: 95 %)`,
  );
  process.exitCode = files === 0 || findings.length > 0 ? 1 : 0;
}
