/** Parses a command for the scripted model, and quotes the text of others. */
import { type ToolResultMessage, transcriptText } from '../../../core/models/messages.ts';
import type { Voice } from './lines.ts';
import type { Deed } from './scripted-calls.ts';

export interface ScriptCommand {
  readonly word: string;
  readonly rest: string;
  readonly said: string;
}

export function readCommand(text: string): ScriptCommand {
  const said = withoutAddress(text);
  const word = /^[\p{L}\d]+/u.exec(said.toLowerCase())?.[0] ?? '';
  return { word, rest: said.slice(word.length).replace(/^[\s:,]+/, ''), said };
}

/** A denial of the operator or a rule, not an error such as "Permission denied". */
const isDenial = /(?<!\b(?:permission|access) )\bdenied\b|(?<!\bconnection )\brefused\b|\bexpired\b/i;

export function failureLine(deed: Deed, failed: ToolResultMessage, voice: Voice): string {
  const said = transcriptText(failed).trim();
  const [reason = ''] = said.split('\n');
  if (isDenial.test(reason)) {
    const because = /denied[^:]*: *(.+)$/i.exec(reason)?.[1];
    return `${voice.denied(deed.undone)}${because ? ` Your reason: ${quiet(because)}` : ''}`;
  }
  return `That did not work: ${quiet(reason.slice(0, 300))}`;
}

/** The text after the leading mentions. */
const withoutAddress = (text: string): string =>
  text.replace(/^([\s,:;.!]|@you\([A-Za-z0-9_-]+\)|@[A-Za-z0-9][A-Za-z0-9_-]*)+/, '').trim();

/** An echoed @ would wake other agents: it keeps its look, but mentions no one. */
export const quiet = (text: string): string =>
  text.replaceAll('@', '@\u200b').replaceAll('[SILENT]', '[silent]');
