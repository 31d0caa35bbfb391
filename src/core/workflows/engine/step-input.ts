/** Builds the input of a step from the results of earlier ones. */
import type { Json, StdinSource, Step, TemplateScope } from '../file/definition.ts';
import { stdinValue } from '../file/value-template.ts';
import { resultJson } from './kept-result.ts';

/** Text of `$step.json`, if it is known without parsing. */
function unparsed(stdin: StdinSource, scope: TemplateScope): string | null {
  if (stdin.kind !== 'ref') return null;
  const { step, path } = stdin.ref;
  const [field, ...deeper] = path;
  if (field !== 'json' || deeper.length > 0 || Object.hasOwn(scope.loop, step)) return null;
  const result = Object.hasOwn(scope.steps, step) ? scope.steps[step] : undefined;
  const json = result ? resultJson(result) : null;
  // A string is passed on without its quotes.
  return json?.startsWith('"') ? null : json;
}

/**
 * `undefined` if the step has no input. A program reads text in any case, so a large unchanged value is held
 * only once.
 */
export function handedOn(step: Step, scope: TemplateScope): Json | undefined {
  if (!step.stdin) return undefined;
  return (step.kind === 'run' ? unparsed(step.stdin, scope) : null) ?? stdinValue(step.stdin, scope);
}
