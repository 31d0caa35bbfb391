/** Says in plain words what a standing answer covers and for how long. */
import type { AllowScope } from '../../contract/approvals.ts';
import type { RoomsView } from '../../contract/model.ts';
import type { HostText } from '../../language/host-message.ts';
import { localize, t } from '../../language/texts.ts';
import { useRooms } from '../state/subscriptions.ts';

export type LastingScope = Exclude<AllowScope, 'once'>;

export interface RuleText {
  /** "Write any file directly in notes, until Kennel quits". */
  readonly covers: string;
  /** The rule itself, such as `write_file(notes/*)`; `null` if `covers` already contains it. */
  readonly exact: string | null;
}

const scopes = { session: 'coversSession', exact: 'coversAlways', pattern: 'coversAlways' } as const;

/** The rule without the words for its duration. */
function bareRule(rule: HostText): HostText {
  if (typeof rule === 'string' || rule.key !== 'approvals.untilKennelStops') return rule;
  const bare = rule.values?.rule;
  return typeof bare === 'string' || (typeof bare === 'object' && 'key' in bare) ? bare : rule;
}

const fileTools = ['write_file', 'edit_file', 'read_file'] as const;

function patternText(tool: string, pattern: string, rooms: RoomsView | null): string | null {
  if (pattern.endsWith('/*')) {
    const named = pattern.slice(0, -2);
    const folder = named === '.' ? t('consent.itsWorkspace') : named;
    const known = fileTools.find((one) => one === tool);
    return known ? t(`consent.rule_${known}`, { folder }) : t('consent.rule_files', { tool, folder });
  }
  if (pattern.endsWith(' *')) return t('consent.rule_command', { command: pattern.slice(0, -2) });
  const room = rooms?.rooms[pattern];
  if (room !== undefined) {
    return t('consent.rule_send', { to: room.kind === 'channel' ? `#${room.name}` : room.name });
  }
  return pattern.startsWith('@') ? t('consent.rule_send', { to: pattern }) : null;
}

export function shownRuleText(scope: LastingScope, rule: HostText, rooms: RoomsView | null): RuleText {
  const bare = localize(bareRule(rule));
  const [, tool = '', pattern = ''] = /^([\w-]+)\((.+)\)$/s.exec(bare) ?? [];
  const plain = tool === '' ? null : patternText(tool, pattern, rooms);
  return {
    covers: t(`consent.${scopes[scope]}`, { what: plain ?? bare }),
    exact: plain === null ? null : bare,
  };
}

export const useRuleText = (scope: LastingScope, rule: HostText): RuleText =>
  shownRuleText(
    scope,
    rule,
    useRooms((rooms) => rooms),
  );
