import { ok, type Result } from '../../contract/result.ts';
import type { SnapshotView } from '../../contract/snapshot-methods.ts';
import type { WorkspaceSnapshot } from '../../core/undo/snapshot-port.ts';
import { realPath } from '../../platform/real-path.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce, nameOfAgent } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';
import type { SnapshotsFeature } from './snapshots-feature.ts';
import { maxFiles, type PointOwner, shownPathOf, viewGaps, viewItems } from './undo-view.ts';

type SnapshotHandlers = Pick<
  Handlers,
  'snapshots.create' | 'snapshots.list' | 'snapshots.diff' | 'snapshots.restore' | 'snapshots.remove'
>;

export interface SnapshotHandlersDeps {
  readonly snapshots: SnapshotsFeature;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly folders: Pick<AgentFolders, 'roots'>;
}

function viewSnapshot(snapshot: WorkspaceSnapshot, owner: PointOwner): SnapshotView {
  const { id, agentId, label, reason, about, at, files, bytes, gaps } = snapshot;
  return { id, agentId, agentName: owner.name, label, reason, about, at, files, bytes, gaps };
}

export function createSnapshotHandlers({
  snapshots,
  agents,
  folders,
}: SnapshotHandlersDeps): SnapshotHandlers {
  const withAgent = async <T>(
    named: string,
    work: (agentId: string, owner: PointOwner) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const agent = findAgent(agents, named);
    if (!agent.ok) return agent;
    const { cwd } = folders.roots(agent.value, configInForce(agent.value));
    return work(agent.value.id, { name: nameOfAgent(agent.value), cwd: realPath(cwd) });
  };
  return {
    'snapshots.create': ({ agent, label = null }) =>
      withAgent(agent, async (agentId, owner) => {
        const made = await snapshots.create(agentId, label);
        if (!made.ok) return made;
        const { snapshot, gaps } = made.value;
        return ok({ snapshot: viewSnapshot(snapshot, owner), gaps: viewGaps(gaps, owner) });
      }),
    'snapshots.list': ({ agent, before, limit }) =>
      withAgent(agent, async (agentId, owner) => {
        const listed = await snapshots.list({
          agentId,
          ...(before === undefined ? {} : { before }),
          limit: limit + 1,
        });
        if (!listed.ok) return listed;
        const page = listed.value.slice(0, limit);
        const next = listed.value.length > limit ? (page.at(-1)?.id ?? null) : null;
        return ok({ snapshots: page.map((one) => viewSnapshot(one, owner)), next });
      }),
    'snapshots.diff': ({ agent, snapshot: named, until = null }) =>
      withAgent(agent, async (agentId, owner) => {
        const found = await snapshots.changes(agentId, named, until);
        if (!found.ok) return found;
        const { snapshot, items, gaps, digest, read } = found.value;
        return ok({
          snapshot: viewSnapshot(snapshot, owner),
          files: viewItems(items.slice(0, maxFiles), owner, read),
          fileCount: items.length,
          gaps: viewGaps(gaps, owner),
          digest,
        });
      }),
    'snapshots.restore': ({ agent, snapshot: named, digest }) =>
      withAgent(agent, async (agentId, owner) => {
        const done = await snapshots.restore(agentId, named, digest);
        if (!done.ok) return done;
        const { id, before, restored, kept, told } = done.value;
        const shown = (paths: readonly string[]): string[] => paths.map((path) => shownPathOf(owner, path));
        return ok({
          point: id,
          before: viewSnapshot(before, owner),
          restored: shown(restored),
          kept: shown(kept),
          told,
        });
      }),
    'snapshots.remove': ({ agent, snapshot: named }) =>
      withAgent(agent, async (agentId, owner) => {
        const removed = await snapshots.remove(agentId, named);
        return removed.ok ? ok({ snapshot: viewSnapshot(removed.value, owner) }) : removed;
      }),
  };
}
