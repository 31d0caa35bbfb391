import type { Approval } from '../../contract/approvals.ts';
import { t } from '../../language/texts.ts';
import { listed } from '../format/listed.ts';
import { visibleLine } from '../format/visible-text.ts';
import { useHost } from '../state/subscriptions.ts';
import { useNames } from '../workflows/use-starter.ts';

/** Names the approvers of a gate whom no agent has asked in a channel, and says how they are reached. */
export function NotAsked({ approval }: { approval: Approval }) {
  const own = useHost((host) => host?.operator?.slug ?? null);
  const nameOf = useNames();
  const { gate, isInChannel, agentId, agentName } = approval;
  const others = (gate?.named ?? []).filter((who) => who !== 'operator' && who !== own);
  if (isInChannel !== false || others.length === 0) return null;
  const names = listed(others.map(nameOf));
  const agent = agentId === '' ? t('gates.anyAgent') : visibleLine(agentName);
  return <p>{t('gates.notAsked', { names, agent })}</p>;
}
