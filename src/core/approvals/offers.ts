/**
 * Standing answers offered besides "once", with the exact rule that each would store. A pattern is offered
 * only if its scope is evident: one plain command, files of one folder, one room.
 */
import type { Approval } from '../../contract/approvals.ts';
import { say } from '../../language/say.ts';
import { shareRuleText } from '../policy/audience-text.ts';
import { type PathBase, shortPath } from '../policy/paths.ts';
import { toolPatternFits } from '../policy/patterns.ts';
import type { PolicyCall, PolicyVerdict } from '../policy/policy-call.ts';
import { commandWords } from '../policy/split-commands.ts';

/** Programs whose second word is a subcommand. */
const withVerbs = new Set(
  'git npm pnpm yarn cargo docker kubectl pip uv go make brew apt systemctl gh terraform deno bun poetry'.split(
    ' ',
  ),
);

/** Programs that run their arguments: a pattern over the first word would cover everything. */
const runners = new Set(
  (
    'sh bash dash zsh fish ksh env xargs find nice nohup setsid timeout stdbuf time command exec eval busybox watch parallel ' +
    'python python3 node deno bun ruby perl php awk gawk sed ssh npx bunx uvx make tee source .'
  ).split(' '),
);

function commandPattern(call: PolicyCall): string {
  const found = commandWords(call);
  const [argv] = found?.commands ?? [];
  if (!found || found.unclear || found.commands.length !== 1 || !argv) return '';
  const [name = '', verb = ''] = argv;
  if (!/^[\w.+-]+$/.test(name) || runners.has(name)) return '';
  if (!withVerbs.has(name)) return `${call.tool}(${name} *)`;
  return /^[a-z][\w-]*$/.test(verb) ? `${call.tool}(${name} ${verb} *)` : '';
}

function folderPattern(call: PolicyCall, path: string, base: PathBase): string {
  const short = shortPath(path, base);
  const slash = short.lastIndexOf('/');
  const folder = slash < 0 ? '.' : short.slice(0, slash);
  // A folder name that reads as a pattern or contains hidden characters is never offered.
  return /[*?()\p{Cc}\p{Cf}]/u.test(folder) ? '' : `${call.tool}(${folder}/*)`;
}

function effectPattern(call: PolicyCall, base: PathBase): string {
  const { effects } = call.assessment;
  const [first] = effects;
  if (!first || effects.length !== 1) return '';
  if (first.kind === 'write' || first.kind === 'read') return folderPattern(call, first.path, base);
  if (first.kind === 'send') return /^[\w@.:-]+$/.test(first.to) ? `${call.tool}(${first.to})` : '';
  return '';
}

/** Empty if no pattern can be offered. The pattern covers the call that it was made from. */
export function patternFor(call: PolicyCall, base: PathBase): string {
  const pattern = commandWords(call) ? commandPattern(call) : effectPattern(call, base);
  return pattern !== '' && toolPatternFits(pattern, call, base, 'covers') ? pattern : '';
}

export function offersFor(call: PolicyCall, by: PolicyVerdict['by'], pattern: string): Approval['offers'] {
  if (by === 'release' && call.heldBack) {
    const { what, who } = call.heldBack;
    return [
      { scope: 'once', rule: say('approvals.thisAnswer') },
      { scope: 'pattern', rule: shareRuleText(what, who) },
    ];
  }
  const offers: Approval['offers'] = [{ scope: 'once', rule: say('approvals.thisCall') }];
  if (by === 'never_auto') return offers;
  const exact = { scope: 'exact', rule: say('approvals.exactCall', { tool: call.tool }) } as const;
  if (by === 'taint') return [...offers, exact];
  const session = pattern === '' ? exact.rule : pattern;
  offers.push({ scope: 'session', rule: say('approvals.untilKennelStops', { rule: session }) }, exact);
  if (pattern !== '') offers.push({ scope: 'pattern', rule: pattern });
  return offers;
}
