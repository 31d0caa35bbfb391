import { join } from 'node:path';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { memorySnapshot } from '../../core/agents/memory.ts';
import { untrustedNotes } from '../../core/agents/note-lines.ts';
import { primerMissing, primerPath, primerText } from '../../core/agents/primer.ts';
import type { DiskPort, Log } from '../../core/ports.ts';
import type { TurnContext } from '../../core/supervisor/worker-ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';

const maxPrimerBytes = 256 * 1024;

export interface ContextDeps {
  readonly home: string;
  readonly disk: DiskPort;
  readonly agents: AgentStore;
  readonly settings: DaemonSettings;
  readonly log: Log;
}

/** The shared primer on disk, restored if missing. */
function readPrimer({ home, disk, log }: Pick<ContextDeps, 'home' | 'disk' | 'log'>): string {
  const path = join(home, primerPath);
  const onDisk = disk.readText(path, maxPrimerBytes);
  const text = onDisk.ok ? onDisk.value : primerText;
  if (!primerMissing(text)) return text ?? primerText;
  const restored = disk.write(path, primerText);
  log.info('primer_restored', { written: restored.ok });
  return primerText;
}

/** Context about the agent for its next turn; read from disk each time, so edits apply at once. */
export function readTurnContext(
  deps: Omit<ContextDeps, 'settings'> & {
    readonly settings: Pick<DaemonSettings, 'maxInlineChars' | 'segmentChars'>;
  },
  id: string,
  slug: string,
  config: AgentConfig,
  skills = '',
): TurnContext {
  const profile = deps.agents.readProfile(id);
  const memory = deps.agents.readMemory(id);
  if (!profile.ok) deps.log.warn('profile_unreadable', { agent: id, message: profile.error.message });
  if (!memory.ok) deps.log.warn('memory_unreadable', { agent: id, message: memory.error.message });
  return {
    prompt: {
      primer: readPrimer(deps),
      profile: profile.ok ? profile.value : '',
      memory: memory.ok ? memorySnapshot(memory.value) : '',
      skills,
    },
    untrustedNotes: memory.ok ? untrustedNotes(memory.value) : '',
    persona: { displayName: config.display_name || id, slug, role: config.role },
    maxInlineChars: deps.settings.maxInlineChars(),
    segmentChars: deps.settings.segmentChars(),
    plainModel: config.runtime.kind === 'chat-local',
    onArrival: config.on_arrival,
  };
}
