/**
 * Parses options by allow-list: an unlisted option, cluster member or abbreviation is refused, and an option
 * takes a value only if the list says so. Everything else is an operand; nothing is guessed.
 */
import { err, ok, type Result } from '../../../contract/result.ts';
import { type BlockReason, type CommandRefusal, refuseCommand } from './refusal.ts';
import type { Word } from './word-splitting.ts';

export interface ProgramOption {
  /** The first name appears in the rebuilt command. */
  readonly names: readonly string[];
  /** Pattern of its value; absent if it takes none. */
  readonly value?: RegExp;
  /** The value is optional, and never a separate word. */
  readonly attached?: boolean;
}

export interface ParsedOption {
  readonly name: string;
  readonly value: string | null;
}

export interface OptionRules {
  readonly specs: readonly ProgramOption[];
  readonly reason: BlockReason;
  /** Option that `-5` stands for, with the value 5. */
  readonly digits?: string;
  /** More specific reason for an option; `null` for `reason`. */
  readonly reasons?: (option: string) => BlockReason | null;
}

export interface ParsedWords {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
  /** Number of operands before `--`; `null` without one. */
  readonly marker: number | null;
}

export const flagOption = (...names: string[]): ProgramOption => ({ names });
export const valued = (value: RegExp, ...names: string[]): ProgramOption => ({ names, value });
export const optional = (value: RegExp, ...names: string[]): ProgramOption => ({
  names,
  value,
  attached: true,
});

export const isWholeNumber = /^\d{1,10}$/;
export const anyText = /^/;

interface Reading {
  readonly options: ParsedOption[];
  readonly operands: Word[];
  marker: number | null;
}

const refuseOption = (rules: OptionRules, option: string) =>
  refuseCommand(
    rules.reasons?.(option) ?? rules.reason,
    `The option ${option.slice(0, 80)} is not on the list.`,
  );

const specOf = (rules: OptionRules, name: string): ProgramOption | undefined =>
  rules.specs.find(({ names }) => names.includes(name));

function take(
  reading: Reading,
  rules: OptionRules,
  shown: string,
  spec: ProgramOption,
  value: string | null,
): CommandRefusal | null {
  const refusal = refuseOption(rules, shown).error;
  const [name = ''] = spec.names;
  if (value === null && spec.value && !spec.attached)
    return { ...refusal, message: `The option ${shown} needs a value.` };
  if (value !== null && !spec.value?.test(value))
    return { ...refusal, message: `The option ${shown} does not take "${value.slice(0, 80)}".` };
  reading.options.push({ name, value });
  return null;
}

/** Number of words consumed, or the refusal. */
function takeLong(
  reading: Reading,
  rules: OptionRules,
  word: string,
  next: Word | undefined,
): number | CommandRefusal {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const spec = specOf(rules, name);
  if (!spec) return refuseOption(rules, name).error;
  const separate = equals < 0 && spec.value !== undefined && !spec.attached;
  const value = separate ? (next?.text ?? null) : equals < 0 ? null : word.slice(equals + 1);
  return take(reading, rules, name, spec, value) ?? (separate ? 2 : 1);
}

function takeCluster(
  reading: Reading,
  rules: OptionRules,
  word: string,
  next: Word | undefined,
): number | CommandRefusal {
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at]}`;
    const spec = specOf(rules, name);
    if (!spec) return refuseOption(rules, name).error;
    if (!spec.value) {
      take(reading, rules, name, spec, null);
      continue;
    }
    const rest = word.slice(at + 1);
    if (rest !== '') return take(reading, rules, name, spec, rest) ?? 1;
    if (spec.attached) return take(reading, rules, name, spec, null) ?? 1;
    return take(reading, rules, name, spec, next?.text ?? null) ?? 2;
  }
  return 1;
}

function takeOption(
  reading: Reading,
  rules: OptionRules,
  word: string,
  next: Word | undefined,
): number | CommandRefusal {
  if (word.startsWith('--')) return takeLong(reading, rules, word, next);
  // Some long options have one dash.
  const whole = word.length > 2 ? specOf(rules, word) : undefined;
  if (whole && !whole.value) return take(reading, rules, word, whole, null) ?? 1;
  if (rules.digits !== undefined && /^-\d+$/.test(word)) {
    const spec = specOf(rules, rules.digits);
    if (spec) return take(reading, rules, word, spec, word.slice(1)) ?? 1;
  }
  return takeCluster(reading, rules, word, next);
}

/** Options may stand anywhere before `--`. */
export function parseOptions(
  words: readonly Word[],
  rules: OptionRules,
): Result<ParsedWords, CommandRefusal> {
  const reading: Reading = { options: [], operands: [], marker: null };
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    if (!word) break;
    if (reading.marker !== null || !word.text.startsWith('-') || word.text === '-') {
      reading.operands.push(word);
      at += 1;
    } else if (word.text === '--') {
      reading.marker = reading.operands.length;
      at += 1;
    } else {
      const taken = takeOption(reading, rules, word.text, words[at + 1]);
      if (typeof taken !== 'number') return err(taken);
      at += taken;
    }
  }
  return ok(reading);
}

/** `--name=value`, `-nvalue`: joined, so the value cannot be taken for another option. */
export const optionWord = ({ name, value }: ParsedOption): string =>
  value === null ? name : name.startsWith('--') ? `${name}=${value}` : `${name}${value}`;
