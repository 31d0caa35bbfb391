/** The tool actions of the scripted model: the call for a command, and the reply to its result. */
import type { ToolResultMessage } from '../../../core/models/messages.ts';
import { transcriptText } from '../../../core/models/messages.ts';
import { sampleFile, type Voice } from './lines.ts';

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One command with its tool: the call, and the text afterwards. */
export interface Deed {
  readonly call: ScriptedCall;
  /** Number of calls in a row; 1 for all but `work`. */
  readonly times: number;
  /** Text before the first call. */
  readonly before: string;
  /** Text after the last result. */
  readonly done: (results: readonly ToolResultMessage[]) => string;
  /** The consequence of a denial, after "so": "hello.md stays unwritten". */
  readonly undone: string;
}

const maxWork = 50;
const shownCharacters = 1_500;

const lastOf = (results: readonly ToolResultMessage[]): string => {
  const last = results.at(-1);
  return last ? transcriptText(last).trim() : '';
};

/** Quotes a result so that it mentions no one and cannot close its own fence. */
export function fencedScriptText(text: string): string {
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}\n…` : text;
  const ticks = (shown.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2) + 1;
  const fence = '`'.repeat(ticks);
  return `${fence}\n${shown.replaceAll('@', '@\u200b')}\n${fence}`;
}

const single = (
  call: ScriptedCall,
  words: Pick<Deed, 'done' | 'undone'> & { readonly before?: string },
): Deed => ({ call, times: 1, before: '', ...words });

/** `null` if the word is no tool command, or an argument is missing. */
export function deedFor(word: string, rest: string, voice: Voice): Deed | null {
  const file = fileName(rest);
  switch (word) {
    case 'write':
      return file === null ? null : writeDeed(file, rest.slice(firstWord(rest).length).trim(), voice);
    case 'read':
      return file === null
        ? null
        : single(
            { name: 'read_file', arguments: { path: file } },
            {
              done: (results) =>
                voice.did(`This is \`${file}\`:\n\n${fencedScriptText(lastOf(results))}\n\n`),
              undone: `I did not open \`${file}\``,
            },
          );
    case 'list':
      return single(
        { name: 'list_dir', arguments: { path: '.' } },
        {
          done: (results) => `My workspace:\n\n${fencedScriptText(lastOf(results) || '(empty)')}`,
          undone: 'I did not look',
        },
      );
    case 'run':
      return rest === ''
        ? null
        : single(
            { name: 'bash_exec', arguments: { cmd: rest } },
            {
              done: (results) =>
                `\`${rest.replaceAll('`', "'")}\` says:\n\n${fencedScriptText(lastOf(results))}`,
              undone: 'I ran nothing',
            },
          );
    case 'work':
      return workDeed(rest, voice);
    default:
      return talkDeed(word, rest, voice);
  }
}

function writeDeed(file: string, text: string, voice: Voice): Deed {
  const content = text === '' ? sampleFile(file) : `${text}\n`;
  const lines = content.split('\n').length - 1;
  return single(
    { name: 'write_file', arguments: { path: file, content } },
    {
      before: `I'll write \`${file}\`.`,
      done: () =>
        voice.did(`\`${file}\` is in my workspace now, ${lines} ${lines === 1 ? 'line' : 'lines'}.`),
      undone: `\`${file}\` stays unwritten`,
    },
  );
}

function workDeed(rest: string, voice: Voice): Deed {
  const wished = Number.parseInt(firstWord(rest), 10);
  const times = Number.isNaN(wished) ? 3 : Math.min(Math.max(wished, 1), maxWork);
  return {
    call: { name: 'list_dir', arguments: { path: '.' } },
    times,
    before: `${times} small steps, then.`,
    done: (results) => voice.did(`That was ${results.length} steps, each a look into my workspace.`),
    undone: 'I stopped there',
  };
}

/** Commands for memory and messages. */
function talkDeed(word: string, rest: string, voice: Voice): Deed | null {
  switch (word) {
    case 'remember':
      return rest === ''
        ? null
        : single(
            { name: 'memory_append', arguments: { note: 'notes', text: rest } },
            { done: () => voice.did('I wrote it into my notes.'), undone: 'I keep nothing' },
          );
    case 'recall':
      return single(
        rest === ''
          ? { name: 'memory_read', arguments: { note: 'notes' } }
          : { name: 'memory_search', arguments: { query: rest } },
        {
          done: (results) => `From my notes:\n\n${fencedScriptText(lastOf(results) || '(nothing yet)')}`,
          undone: 'I did not look',
        },
      );
    case 'tell': {
      const to = addressee(rest);
      const text = rest.slice(to.length).trim();
      if (to === '' || text === '' || /^(me|us)$/i.test(to)) return null;
      return single(
        {
          name: 'send_message',
          arguments: { channel: `@${to.replace('@', '')}`, text, is_visible_to_human: true },
        },
        {
          done: () => voice.did(`I told ${to.replace('@', '')}.`),
          undone: 'I wrote to nobody',
        },
      );
    }
    default:
      return null;
  }
}

/** The slug at the start, with or without its @. */
export const addressee = (text: string): string => /^@?[A-Za-z0-9][\w-]*/.exec(text)?.[0] ?? '';

const firstWord = (text: string): string => text.split(/\s/)[0] ?? '';

/**
 * The file name, which has a dot or a slash in it; `null` otherwise, so that "write a letter" names no file.
 */
function fileName(text: string): string | null {
  const name = firstWord(text)
    .replaceAll(/[`\\@]/g, '')
    .slice(0, 100);
  return /\.\w|\//.test(name) ? name : null;
}

export const usageOf: Readonly<Record<string, string>> = {
  write: 'Which file? For example `write notes.md`.',
  read: 'Which file? For example `read notes.md`.',
  run: 'Which command? For example `run ls -l`.',
  remember: 'What shall I remember? Put some words after `remember`.',
  tell: 'Whom, and what? For example `tell ada the file is ready`.',
};
