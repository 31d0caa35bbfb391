/** Finds names that two source files export: a reader who searches for one must meet one thing. */
import type { Finding } from './finding.ts';

const source = /^src\/.*(?<![.]test)[.]tsx?$/;
/** Both catalogs have the same names on purpose. */
const catalogs = /^src\/language\/(?:english|german)\//;
const exported = /^export (?:abstract |async )?(?:const|function[*]?|class|interface|type|enum) (\w+)/gm;

export function repeatedExports(
  texts: readonly { readonly file: string; readonly text: string }[],
): Finding[] {
  const first = new Map<string, string>();
  return texts
    .filter(({ file }) => source.test(file) && !catalogs.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(exported)].flatMap(({ 1: name = '', index }) => {
        const other = first.get(name);
        // Overloads, and a type of the same name as its value, are one thing.
        if (other === undefined || other === file) {
          first.set(name, file);
          return [];
        }
        const line = text.slice(0, index).split('\n').length;
        return [{ file, line, rule: 'unique-export', says: `${other} exports another ${name}` }];
      }),
    );
}
