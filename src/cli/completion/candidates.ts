import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandSpec, commandOptions, type Noun, type OptionSpec, optionName } from '../command.ts';
import {
  type GeneralHelp,
  helpLanguage,
  loadGeneralHelp,
  loadNounHelp,
  type NounHelp,
} from '../help-texts.ts';
import { nouns } from '../registry.ts';
import { printable } from '../visible-text.ts';

// Candidates for the word at the cursor of a shell: nouns, verbs, options, fixed values and agent names.

export interface Candidate {
  readonly value: string;
  readonly summary: string;
}

/** The shell completes names of files. */
export const fileNamesMark = ':files';

const placeholder = /[<[]([^\]>]+)[\]>]/;
const fileNames: readonly string[] = ['file', 'folder', 'path', 'dest', 'rules', 'workflow'];

/** From the folder, so that it works without a running host. */
function agentIds(home: string): readonly string[] {
  const folder = join(home, 'agents');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((id) => existsSync(join(folder, id, 'agent.yml')));
}

const plain = (values: readonly string[], summary = ''): readonly Candidate[] =>
  values.map((value) => ({ value, summary }));

/** Values for `<agent>`, `<on|off>` or `<file>`; none if only the user can know them. */
function valuesOf(
  slot: string | undefined,
  general: GeneralHelp,
  home: string,
): readonly Candidate[] | typeof fileNamesMark {
  const name = placeholder.exec(slot ?? '')?.[1]?.replace(/\.\.\.$/, '') ?? '';
  if (name === 'agent' || name === 'agents') return plain(agentIds(home), general.agent);
  if (name.includes('|') && !name.includes('=')) return plain(name.split('|'));
  return fileNames.includes(name) ? fileNamesMark : [];
}

const takesValue = ({ flags }: OptionSpec): boolean => /[<[]/.test(flags);

const options = (spec: CommandSpec): readonly OptionSpec[] => [...commandOptions(spec), { flags: '--help' }];

function optionOf(spec: CommandSpec, word: string): OptionSpec | undefined {
  return options(spec).find(({ flags }) => flags.split(/[\s,]+/).includes(word));
}

/** Number of positional arguments in `words`. */
function countArguments(spec: CommandSpec, words: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const option = word.startsWith('-') ? optionOf(spec, word) : undefined;
    if (option?.flags.includes('<')) at += 1;
    else if (!word.startsWith('-')) count += 1;
  }
  return count;
}

function ofCommand(
  help: NounHelp,
  spec: CommandSpec,
  words: readonly string[],
  current: string,
  home: string,
): readonly Candidate[] | typeof fileNamesMark {
  const before = optionOf(spec, words.at(-1) ?? '');
  if (before && takesValue(before) && !current.startsWith('-')) {
    const values = valuesOf(before.flags, help.general, home);
    if (values === fileNamesMark || values.length > 0) return values;
  }
  if (current.startsWith('-')) {
    const unused = options(spec).filter(
      (option) => option.isRepeatable || !words.includes(optionName(option)),
    );
    return unused.map((option) => ({ value: optionName(option), summary: help.option(spec, option) }));
  }
  const slots = spec.args?.match(new RegExp(placeholder, 'g')) ?? [];
  const at = countArguments(spec, words);
  const last = slots.at(-1);
  return valuesOf(slots[at] ?? (last?.includes('...') ? last : undefined), help.general, home);
}

async function ofNoun(
  noun: Noun,
  words: readonly string[],
  current: string,
  home: string,
): Promise<readonly Candidate[] | typeof fileNamesMark> {
  const [specs, help] = await Promise.all([noun.load(), loadNounHelp(noun, helpLanguage())]);
  const [first = ''] = words;
  const named = first === '' ? undefined : specs.find(({ verb, alias }) => verb === first || alias === first);
  if (named) return ofCommand(help, named, words.slice(1), current, home);
  const verbs = specs.flatMap((spec) =>
    spec.verb === '' ? [] : [{ value: spec.verb, summary: help.command(spec).summary }],
  );
  const own = specs.find(({ verb, isDefault }) => verb === '' || isDefault);
  if (!own) return words.length === 0 ? verbs : [];
  const found = ofCommand(help, own, words, current, home);
  if (words.length > 0 || current.startsWith('-')) return found;
  return found === fileNamesMark ? fileNamesMark : [...verbs, ...found];
}

async function ofProgram(current: string): Promise<readonly Candidate[]> {
  const general = await loadGeneralHelp(helpLanguage());
  if (!current.startsWith('-'))
    return nouns.map(({ name }) => ({ value: name, summary: general.nouns[name] }));
  return [
    { value: '--help', summary: general.commonOptions['--help'] },
    { value: '--version', summary: general.version },
  ];
}

/** Candidates for `current`, the word at the cursor, after `words`; `files` if the shell shall complete. */
export async function candidates(
  words: readonly string[],
  current: string,
  home: string,
): Promise<readonly Candidate[] | typeof fileNamesMark> {
  const [name, ...rest] = words[0] === 'help' ? words.slice(1) : words;
  const noun = nouns.find((each) => each.name === name);
  const all =
    name === undefined ? await ofProgram(current) : noun ? await ofNoun(noun, rest, current, home) : [];
  return all === fileNamesMark ? fileNamesMark : all.filter(({ value }) => value.startsWith(current));
}

/**
 * Prints candidates for the completion scripts, one per line with its summary behind a tab. `argv` is
 * `__complete --current=WORD -- WORDS`, after `puppy` if that was completed.
 */
export async function printCandidates(argv: readonly string[], home: string): Promise<void> {
  const at = argv.indexOf('--');
  const current = argv.find((word) => word.startsWith('--current='))?.slice('--current='.length) ?? '';
  const words = [...(argv[0] === 'puppy' ? ['puppy'] : []), ...(at < 0 ? [] : argv.slice(at + 1))];
  const found = await candidates(words, current, home);
  const lines =
    found === fileNamesMark
      ? [fileNamesMark]
      : found.map(({ value, summary }) => printable(`${value}\t${summary}`));
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
}
