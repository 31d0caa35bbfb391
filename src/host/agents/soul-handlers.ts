import { ok } from '../../contract/result.ts';
import { readSoul } from '../../core/agents/profile.ts';
import { codePointLength } from '../../core/lib/text.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { createProfileHistory } from '../../services/agent-store/profile-history.ts';
import type { Handlers } from '../dispatch.ts';
import type { ProfileSync } from '../identity/profile-sync.ts';
import { findAgent } from './find-agent.ts';

type SoulMethods = Pick<Handlers, 'agents.soulHistory' | 'agents.soulVersion' | 'agents.unsynced'>;

export interface SoulHandlerDeps {
  readonly agents: AgentStore;
  readonly disk: DiskPort;
  readonly profiles: Pick<ProfileSync, 'waiting'>;
}

export function createSoulHandlers({ agents, disk, profiles }: SoulHandlerDeps): SoulMethods {
  return {
    'agents.soulHistory': ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const history = createProfileHistory(found.value, disk);
      const now = agents.readProfile(found.value.id);
      const kept = now.ok ? history.keep(now.value) : now;
      if (!kept.ok) return kept;
      const all = history.all();
      if (!all.ok) return all;
      const souls = all.value.map(({ version, at, text }) => ({ version, at, soul: readSoul(text) }));
      // Other parts of the profile may change while the soul stays the same.
      const changed = souls.filter(({ soul }, index) => soul !== souls[index - 1]?.soul);
      return ok({
        versions: changed
          .map(({ version, at, soul }, index) => ({
            version,
            at,
            characters: codePointLength(soul),
            current: index === changed.length - 1,
          }))
          .reverse(),
      });
    },
    'agents.soulVersion': ({ agent: ref, version }) => {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const text = createProfileHistory(found.value, disk).text(version);
      return text.ok ? ok({ soul: readSoul(text.value) }) : text;
    },
    'agents.unsynced': ({ agent: ref }) => {
      const found = findAgent(agents, ref);
      return found.ok ? ok(profiles.waiting(found.value.id)) : found;
    },
  };
}
