/** Answers questions of code about the tools it can call. */
import { didYouMean } from '../../contract/did-you-mean.ts';
import { isRecord } from '../../contract/is-record.ts';
import type { Binding } from './binding-names.ts';
import type { CodeAnswer } from './code-ports.ts';
import type { GeneratedFiles } from './generated-skills.ts';
import { commentText } from './schema-types.ts';
import { describeBinding } from './typescript-bindings.ts';

const mostFound = 20;

const callName = ({ path }: Binding): string => path.join('.');

/** Tools with all terms of the text in name or description; those with a term in the name first. */
export function searchTools(
  bindings: readonly Binding[],
  text: string,
): readonly { name: string; description: string }[] {
  const terms = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((term) => term !== '');
  const found = bindings.flatMap((binding) => {
    const name = callName(binding).toLowerCase();
    const all = `${name} ${binding.tool.name} ${binding.tool.description}`.toLowerCase();
    if (!terms.every((term) => all.includes(term))) return [];
    return [{ binding, rank: terms.filter((term) => name.includes(term)).length }];
  });
  return found
    .sort((a, b) => b.rank - a.rank)
    .slice(0, mostFound)
    .map(({ binding }) => ({ name: callName(binding), description: commentText(binding.tool.description) }));
}

/** Declaration of a tool by its name in code or its own name; otherwise a text that names a similar one. */
export function describeTool(bindings: readonly Binding[], name: string): string {
  const wanted = name.replace(/^tools\./, '');
  const found = bindings.find((each) => callName(each) === wanted || each.tool.name === wanted);
  if (found) return describeBinding(found);
  const similar = didYouMean(wanted, bindings.map(callName));
  return `There is no tool ${commentText(wanted)}.${similar === null ? '' : ` Did you mean ${similar}?`}`;
}

/** Answer of a question of code: `.search`, `.describe`, `.ls` or `.cat`; `null` if it is none. */
export function answerQuestion(
  { bindings, files }: { readonly bindings: readonly Binding[]; readonly files: () => GeneratedFiles },
  question: string,
  args: unknown,
): CodeAnswer | null {
  const text = isRecord(args) && typeof args.text === 'string' ? args.text : '';
  const path = text.replace(/^skills\//, '');
  switch (question) {
    case '.search':
      return { type: 'value', value: searchTools(bindings, text) };
    case '.describe':
      return { type: 'value', value: describeTool(bindings, text) };
    case '.ls':
      return {
        type: 'value',
        value:
          text === '' ? listTools(bindings) : [...files().keys()].filter((file) => file.startsWith(path)),
      };
    case '.cat': {
      const value = files().get(path);
      if (value !== undefined) return { type: 'value', value };
      const message = `There is no file ${commentText(text)}. ls("skills/") lists the files.`;
      return { type: 'error', tool: 'cat', message };
    }
    default:
      return null;
  }
}

export const listTools = (bindings: readonly Binding[]): readonly string[] => bindings.map(callName);
