/**
 * Matches the paths of a call's effects with the path globs of rules. A call on a folder also acts on what is in
 * it: a rule that denies or asks about `secrets/**` meets `rm -r secrets`, `cp -r secrets x` and a search of the
 * folder around it.
 */
import { lastPathPart } from '../lib/text.ts';
import type { Effect } from './assessment.ts';
import { mayMatchBelow, type PathBase, pathFits } from './paths.ts';
import type { PolicyCall } from './policy-call.ts';

/** `covers`: everything that the call does must match; `meets`: a part is enough. */
export type Sense = 'covers' | 'meets';

type ToolCall = Pick<PolicyCall, 'tool' | 'assessment'>;
type RunEffect = Extract<Effect, { kind: 'run' }>;

const isRun = (effect: Effect): effect is RunEffect => effect.kind === 'run';

/** Git commands that print contents of files. */
const printing = new Set(['diff', 'log', 'show']);

function readsContents({ argv: [program = '', ...args] }: RunEffect): boolean {
  const name = lastPathPart(program);
  return name === 'rg' || name === 'cp' || (name === 'git' && args.some((arg) => printing.has(arg)));
}

/** Whether the call reads the contents of files in the folders that it names, and not only their names. */
const readsDeep = ({ tool, assessment }: ToolCall): boolean =>
  tool === 'search_files' || assessment.effects.filter(isRun).some(readsContents);

/** The path of an effect; for a program its working folder, which `rg` searches by itself. */
const effectPath = (effect: Effect): string | null => {
  if (effect.kind === 'run') return effect.cwd;
  return effect.kind === 'send' || effect.kind === 'network' ? null : effect.path;
};

function actsBelow(call: ToolCall, effect: Effect): boolean {
  if (effect.kind === 'delete') return true;
  if (effect.kind === 'read') return readsDeep(call);
  return effect.kind === 'run' && lastPathPart(effect.argv[0] ?? '') === 'rg';
}

export interface PathMatch {
  readonly base: PathBase;
  readonly sense: Sense;
}

export function effectPathFits(
  pattern: string,
  call: ToolCall,
  effect: Effect,
  { base, sense }: PathMatch,
): boolean {
  const path = effectPath(effect);
  if (path === null) return false;
  if (pathFits(pattern, path, base)) return true;
  return sense === 'meets' && actsBelow(call, effect) && mayMatchBelow(pattern, path, base);
}
