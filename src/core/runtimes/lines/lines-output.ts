/**
 * Reads what a program without a protocol prints for one message: its reply, the id of its session, and its error.
 * The forms are those that the official client reads (recorded in `test/fixtures/conformance/harness-output.json`).
 */
import { isRecord } from '../../../contract/is-record.ts';
import { depthWithin } from '../../lib/json-depth.ts';
import { parseSafeJson } from '../../lib/safe-json.ts';

export interface LinesOutput {
  readonly reply: string;
  /** Empty if the program named none. */
  readonly sessionId: string;
  /** Empty if the program reported none. */
  readonly error: string;
}

const maxDepth = 64;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `null` if the text is no JSON. */
function parseJson(printed: string): unknown {
  if (!depthWithin(printed, maxDepth)) return null;
  try {
    return parseSafeJson(printed);
  } catch {
    return null;
  }
}

/** Gemini CLI with `--output-format json`. */
function readGeminiOutput(stdout: string): LinesOutput {
  const printed = stdout.trim();
  const none = { reply: '', sessionId: '', error: '' };
  if (printed.startsWith('Usage: gemini'))
    return {
      ...none,
      error: 'gemini printed its --help banner instead of a reply; argv likely malformed',
    };
  const value = parseJson(printed);
  if (!isRecord(value)) return { ...none, reply: printed };
  const { response, session_id: sessionId, error } = value;
  return {
    reply: text(response).trim(),
    sessionId: text(sessionId),
    error: isRecord(error) ? text(error.message) : text(error),
  };
}

const sessionLine = /^session_id:\s*(\S+)\s*$/;
const resumedLine = /^↻ Resumed session (\S+)/;

/** Hermes with `chat --quiet`. */
function readHermesOutput(stdout: string): LinesOutput {
  let sessionId = '';
  const kept = stdout.split('\n').filter((line) => {
    const found = (sessionLine.exec(line) ?? resumedLine.exec(line))?.[1];
    if (found !== undefined) sessionId = found;
    return found === undefined;
  });
  return { reply: kept.join('\n').trim(), sessionId, error: '' };
}

const usualHermesModel = 'claude-opus-4-6';

/** A model as Hermes names it, with its vendor; a context window in brackets is left out. */
export function hermesModel(name: string): string {
  const plain = name.replace(/\[[^\]]*\]$/, '') || usualHermesModel;
  return plain.includes('/') ? plain : `anthropic/${plain}`;
}

/** Gemini CLI is read like this in a version without the Agent Client Protocol. */
export const linesReader = (harness: string): ((stdout: string) => LinesOutput) =>
  harness === 'gemini-cli' ? readGeminiOutput : readHermesOutput;
