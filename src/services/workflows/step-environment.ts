/**
 * The environment of a step's programs: a few names that every program needs, the arguments of the run, and
 * the file's own variables. Nothing else of the engine's environment, and so none of its secrets.
 */
import type { StepCall } from '../../core/workflows/engine/engine-ports.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { variableOf } from '../../core/workflows/file/read-args.ts';
import { valueText } from '../../core/workflows/file/refs.ts';
import { renderTemplate } from '../../core/workflows/file/template.ts';
import { stringifyExact } from '../../core/workflows/pipeline/exact-json.ts';

export type Environment = Readonly<Record<string, string>>;

const passed: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
]);

/** Bytes; Linux allows no longer variable, and a run without it is better than none. */
const longestVariable = 120_000;

/** `more`: additional names that the owner passes on. */
export function passedEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): Environment {
  const wanted = (name: string): boolean => passed.has(name) || name.startsWith('LC_') || more.includes(name);
  return Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) =>
      value !== undefined && wanted(name) ? [[name, value]] : [],
    ),
  );
}

function argumentVariables(args: { readonly [name: string]: Json }): Environment {
  const all = [
    ...Object.entries(args).map(
      ([name, value]) => [`PUPPY_ARG_${variableOf(name)}`, valueText(value)] as const,
    ),
    ['PUPPY_ARGS_JSON', stringifyExact(args)] as const,
  ];
  return Object.fromEntries(all.filter(([, value]) => Buffer.byteLength(value) <= longestVariable));
}

/** The file's variables override the arguments, a step's override the file's. */
export function stepEnvironment(base: Environment, call: StepCall): Environment {
  const { scope, definition, step } = call;
  const said = { ...definition.env, ...step.env };
  return {
    ...base,
    PUPPY_RUN_ID: call.run,
    PUPPY_STEP: call.path,
    PUPPY_ATTEMPT: String(call.attempt),
    PUPPY_IDEMPOTENCY_KEY: call.key,
    ...argumentVariables(scope.args),
    ...Object.fromEntries(Object.entries(said).map(([name, value]) => [name, renderTemplate(value, scope)])),
  };
}
