import { ok } from '../../contract/result.ts';
import { taskTurn } from '../../core/tasks/task-turn.ts';
import type { PointQuery, RestorePoint } from '../../core/undo/snapshot-port.ts';
import { realPath } from '../../platform/real-path.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce, nameOfAgent } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';
import type { Undo } from './undo.ts';
import { maxFiles, type PointOwner, shownPathOf, viewGaps, viewItems, viewPoint } from './undo-view.ts';

type UndoHandlers = Pick<Handlers, 'undo.list' | 'undo.show' | 'undo.apply'>;

export interface UndoHandlersDeps {
  readonly undo: Undo;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly folders: Pick<AgentFolders, 'roots'>;
}

function turnOf(turn: string | undefined, task: number | undefined): Pick<PointQuery, 'turnId'> {
  const turnId = task === undefined ? turn : taskTurn(task);
  return turnId === undefined ? {} : { turnId };
}

export function createUndoHandlers({ undo, agents, folders }: UndoHandlersDeps): UndoHandlers {
  const ownerOf = ({ agentId }: Pick<RestorePoint, 'agentId'>): PointOwner => {
    const agent = agents.get(agentId);
    if (!agent) return { name: agentId, cwd: null };
    const { cwd } = folders.roots(agent, configInForce(agent));
    return { name: nameOfAgent(agent), cwd: realPath(cwd) };
  };
  return {
    'undo.list': async ({ agent, turn, task, points: ids, before, limit }) => {
      const found = agent === undefined ? null : findAgent(agents, agent);
      if (found && !found.ok) return found;
      const query: PointQuery = {
        ...(found ? { agentId: found.value.id } : {}),
        ...turnOf(turn, task),
        ...(ids === undefined ? {} : { ids }),
        ...(before === undefined ? {} : { before }),
        limit: limit + 1,
        mostChanges: maxFiles,
      };
      const listed = await undo.list(query);
      if (!listed.ok) return listed;
      const page = listed.value.slice(0, limit);
      const next = listed.value.length > limit ? (page.at(-1)?.id ?? null) : null;
      return ok({ points: page.map((point) => viewPoint(point, ownerOf(point))), next });
    },
    'undo.show': async (target) => {
      const planned = await undo.plan(target);
      if (!planned.ok) return planned;
      const { opened, point, points, items, digest } = planned.value;
      const owner = ownerOf(point);
      const read = (hash: string): Uint8Array | null => opened.store.read(hash);
      return ok({
        point: viewPoint(point, owner),
        calls: points.length,
        files: viewItems(items, owner, read),
        gaps: viewGaps(
          points.flatMap(({ gaps }) => gaps),
          owner,
        ),
        digest,
      });
    },
    'undo.apply': async (request) => {
      const done = await undo.apply(request);
      if (!done.ok) return done;
      const owner = ownerOf(done.value);
      const { id, restored, kept } = done.value;
      const shown = (paths: readonly string[]): string[] => paths.map((path) => shownPathOf(owner, path));
      return ok({ point: id, restored: shown(restored), kept: shown(kept) });
    },
  };
}
