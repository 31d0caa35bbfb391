import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import type { FileIntake } from '../../core/tools/chat-files.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { OutgoingStore } from '../../services/files/outgoing-files.ts';
import type { ImageShrinker } from '../../services/files/shrink-image.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';

export interface AgentFiles {
  readonly outgoing: OutgoingStore;
  readonly intake: FileIntake;
}

export interface FileIntakeDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly folders: Pick<AgentFolders, 'workspace'>;
  /** Shared by all agents; loaded with the first file. */
  readonly images: () => Promise<ImageShrinker>;
  readonly clock: Clock;
}

interface IntakeOf {
  readonly id: string;
  readonly crypto: CryptoEngine;
  readonly config: () => AgentConfig;
  readonly account: () => Pick<Account, 'downloadBlob'>;
}

/** Saves received files in the workspace configured at that moment. */
export const createFileIntake = (
  { agents, folders, images, clock }: FileIntakeDeps,
  { id, crypto, config, account }: IntakeOf,
): FileIntake => ({
  async fetch(message, signal) {
    const agent = agents.get(id);
    if (!agent) return [];
    const [shrinker, { createReceivedFiles }] = await Promise.all([
      images(),
      import('../../services/files/received-files.ts'),
    ]);
    const intake = createReceivedFiles({
      workspace: folders.workspace(agent, config()),
      crypto,
      images: shrinker,
      clock,
      download: (blobId, patient) => account().downloadBlob(blobId, patient),
    });
    return intake.fetch(message, signal);
  },
});

/** One for the whole host, created with the first file. */
export function lazyImageShrinker(clock: Clock): () => Promise<ImageShrinker> {
  let made: ImageShrinker | null = null;
  return async () => {
    const { createImageShrinker } = await import('../../services/files/shrink-image.ts');
    made ??= createImageShrinker(clock);
    return made;
  };
}
