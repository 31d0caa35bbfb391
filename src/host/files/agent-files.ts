import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { FileIntake } from '../../core/tools/chat-files.ts';
import type { OutgoingStore } from '../../services/files/outgoing-files.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { LaunchDeps } from '../fleet/launch-agent.ts';
import { openOutgoing } from './open-outgoing.ts';

export interface AgentFiles {
  readonly outgoing: OutgoingStore;
  readonly intake: FileIntake;
}

export interface FilesOf {
  readonly id: string;
  readonly store: AccountStore;
  readonly config: () => AgentConfig;
  readonly account: () => Account;
}

type Deps = Pick<LaunchDeps, 'ports' | 'layout' | 'parts' | 'context' | 'toolParts'>;

export function openAgentFiles(deps: Deps, of: FilesOf): AgentFiles {
  const { ports, layout, parts } = deps;
  const outgoing = openOutgoing({
    folder: layout.agentOutgoing(of.id),
    store: of.store,
    crypto: parts.crypto,
    ports,
  });
  return { outgoing, intake: intakeOf(deps, of) };
}

/** Files are saved in the workspace configured at that moment. Loaded with the first file. */
const intakeOf = ({ parts, context, toolParts }: Deps, { id, config, account }: FilesOf): FileIntake => ({
  async fetch(message, signal) {
    const agent = context.agents.get(id);
    if (!agent) return [];
    const [tools, { createReceivedFiles }, { createWorkspaceFiles }] = await Promise.all([
      toolParts(),
      import('../../services/files/received-files.ts'),
      import('../fleet/agent-kit.ts'),
    ]);
    const intake = createReceivedFiles({
      workspace: createWorkspaceFiles(tools, agent, config()),
      crypto: parts.crypto,
      images: tools.images,
      clock: tools.ports.clock,
      download: (blobId, patient) => account().downloadBlob(blobId, patient),
    });
    return intake.fetch(message, signal);
  },
});
