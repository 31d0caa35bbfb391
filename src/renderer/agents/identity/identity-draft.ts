/**
 * Unsaved edits of an agent's identity. The desktop app keeps the soul while its window is closed; the other
 * fields exist only in this page.
 */
import { create } from 'zustand';
import type { MethodInput } from '../../../contract/methods.ts';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { keepSoul, useScreen } from '../../state/screen.ts';

export interface NameFields {
  readonly displayName: string;
  readonly role: string;
  readonly roleShort: string;
}

interface Kept extends NameFields {
  /** Base64 of a PNG, or `null` if unchanged. */
  readonly picture: string | null;
  /** Version of the profile that the edit began with; absent for a soul that an earlier window kept. */
  readonly version?: string;
}

export interface IdentityDraft extends Kept {
  readonly soul: string;
}

const useKept = create<{ readonly byAgent: Readonly<Record<string, Kept>> }>(() => ({ byAgent: {} }));

const savedOf = ({ displayName, role, roleShort }: AgentSummary): Kept => ({
  displayName,
  role,
  roleShort,
  picture: null,
});

/** Returns `null` if no edit is open. */
export function useIdentityDraft(agent: AgentSummary): IdentityDraft | null {
  const soul = useScreen((screen) => screen.unsavedSouls[agent.id]);
  const kept = useKept(({ byAgent }) => byAgent[agent.id]);
  return soul === undefined ? null : { ...(kept ?? savedOf(agent)), soul };
}

export function openDraft(agent: AgentSummary, soul: string, version: string): void {
  const kept = { ...savedOf(agent), version };
  useKept.setState(({ byAgent }) => ({ byAgent: { ...byAgent, [agent.id]: kept } }));
  keepSoul(agent.id, soul);
}

export function changeDraft(agent: AgentSummary, { soul, ...part }: Partial<IdentityDraft>): void {
  if (soul !== undefined) keepSoul(agent.id, soul);
  useKept.setState(({ byAgent }) => ({
    byAgent: { ...byAgent, [agent.id]: { ...(byAgent[agent.id] ?? savedOf(agent)), ...part } },
  }));
}

export function dropDraft(agent: string): void {
  useKept.setState(({ byAgent: { [agent]: _, ...rest } }) => ({ byAgent: rest }));
  keepSoul(agent, null);
}

/**
 * Returns only the changed fields. Role and short role go together, because the host derives one if it is
 * missing.
 */
export function profileChange(
  agent: AgentSummary,
  soul: string,
  draft: IdentityDraft,
): MethodInput<'agents.edit'> {
  const roles = draft.role !== agent.role || draft.roleShort !== agent.roleShort;
  return {
    agent: agent.id,
    ...(draft.displayName === agent.displayName ? {} : { displayName: draft.displayName }),
    ...(roles ? { role: draft.role, roleShort: draft.roleShort } : {}),
    ...(draft.soul === soul ? {} : { soul: draft.soul }),
    ...(draft.version === undefined ? {} : { version: draft.version }),
    ...(draft.picture === null ? {} : { avatar: { base64: draft.picture, contentType: 'image/png' } }),
  };
}

/** Renders the whole identity as lines of text for a single diff. */
export const asText = ({ displayName, role, roleShort }: NameFields, picture: boolean, soul: string) =>
  [
    t('identity.lineName', { value: displayName }),
    t('identity.lineRole', { value: role }),
    t('identity.lineShort', { value: roleShort }),
    picture ? t('identity.lineNewPicture') : t('identity.linePicture'),
    '',
    soul,
  ].join('\n');
