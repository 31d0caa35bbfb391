/** What a step gets as its input from those before it. */
import type { Json, Scope, StdinSource, Step } from '../file/definition.ts';
import { stdinValue } from '../file/value-template.ts';
import { jsonText } from './kept-result.ts';

/** `$step.json` as a program reads it, where that need not be parsed to be known. */
function unparsed(stdin: StdinSource, scope: Scope): string | null {
  if (stdin.kind !== 'ref') return null;
  const { step, path } = stdin.ref;
  const [field, ...deeper] = path;
  if (field !== 'json' || deeper.length > 0 || Object.hasOwn(scope.loop, step)) return null;
  const result = Object.hasOwn(scope.steps, step) ? scope.steps[step] : undefined;
  const json = result ? jsonText(result) : null;
  // A text is handed on as its words, without quotes.
  return json?.startsWith('"') ? null : json;
}

/** Undefined: nothing. A program reads text in any case, and a large one is held once where it goes on as it came. */
export function handedOn(step: Step, scope: Scope): Json | undefined {
  if (!step.stdin) return undefined;
  return (step.kind === 'run' ? unparsed(step.stdin, scope) : null) ?? stdinValue(step.stdin, scope);
}
