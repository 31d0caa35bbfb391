import path from 'node:path';
import { formatOf } from '../../library/puppy/human-text.ts';
import { formOf } from '../../library/puppy/read-source.ts';
import type { RunRequest, WorkflowSource } from '../../library/puppy/standalone.ts';
import { usage } from '../terminal.ts';
import { converse } from './converse.ts';
import { isTool, limitsOf } from './limits.ts';
import { namedSource } from './named-source.ts';
import { backendFlags, withBackend } from './open-backend.ts';
import { untilSignal } from './signals.ts';
import { tell } from './tell.ts';
import { oneWord, type PuppyArguments, readWords } from './words.ts';

// `puppy run`: runs a workflow file or a pipeline until it ends or reaches a gate.

const flags = {
  ...backendFlags,
  mode: 'text',
  'dry-run': 'switch',
  file: 'text',
  'args-json': 'text',
  arg: 'texts',
  cwd: 'text',
  'timeout-ms': 'text',
  'max-stdout-bytes': 'text',
  key: 'text',
  wait: 'switch',
} as const;

function sourceOf(words: PuppyArguments): WorkflowSource {
  const file = words.text('file');
  if (file === undefined) return oneWord(words, 'a workflow file, or a pipeline in quotes');
  if (words.rest.length > 0) throw usage('Give --file or a pipeline, not both.');
  return { file };
}

/** `--arg name=text` is an alternative to `--args-json`; the text is never parsed. */
function argumentsOf(words: PuppyArguments): Pick<RunRequest, 'args' | 'argsJson'> {
  const pairs = words.texts('arg').map((word): [string, string] => {
    const at = word.indexOf('=');
    if (at < 1) throw usage(`--arg takes NAME=TEXT, not ${JSON.stringify(word.slice(0, 60))}.`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  const json = words.text('args-json');
  if (pairs.length > 0 && json !== undefined) throw usage('Give --arg or --args-json, not both.');
  return json === undefined ? { args: Object.fromEntries(pairs) } : { argsJson: json };
}

export async function runCommand(argv: readonly string[]): Promise<number> {
  const words = readWords(argv, flags);
  const tool = isTool(words, 'human');
  const source = await namedSource(sourceOf(words), path.resolve(words.text('cwd') ?? '.'));
  const limits = limitsOf(words);
  const [cwd, idempotencyKey] = [words.text('cwd'), words.text('key')];
  const format = tool ? 'json' : formatOf(source, process.cwd());
  const cap = 'pipeline' in formOf(source) ? limits.maxStdoutBytes : undefined;
  const request: RunRequest = {
    ...argumentsOf(words),
    ...limits,
    ...(cwd === undefined ? {} : { cwd }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  if (words.has('dry-run')) return (await import('./dry-run.ts')).tellPlan(words, source, request, tool);
  return untilSignal((signal) =>
    withBackend(
      words,
      async (backend) => {
        const told = await backend.run(source, { ...request, signal });
        const last = tool ? told : await converse(backend, told, { ...limits, signal });
        return tell(last, { tool, format });
      },
      cap,
    ),
  );
}
