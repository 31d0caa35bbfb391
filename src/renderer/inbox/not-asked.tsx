import type { Approval } from '../../contract/consent.ts';
import { t } from '../../language/texts.ts';
import { useHost } from '../state/subscriptions.ts';
import { listed } from '../words/listed.ts';
import { visibleLine } from '../words/visible-text.ts';
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
