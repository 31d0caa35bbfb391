import { ok } from '../../contract/result.ts';
import type { Log } from '../../core/ports.ts';
import { coverTool } from '../../core/undo/cover-tool.ts';
import { topmostMissing } from '../../services/tools/snapshots/scan.ts';
import type { AgentKitDeps } from '../fleet/agent-kit.ts';
import type { RestorePointsFile } from './restore-points-file.ts';

/** Covers the tools of all agents with restore points in one store. */
export const createToolCover =
  (file: Pick<RestorePointsFile, 'open'>, log: Log): AgentKitDeps['covered'] =>
  (tool, { roots }) =>
    coverTool(tool, {
      roots,
      anchor: topmostMissing,
      log,
      points: async () => {
        const opened = await file.open();
        return opened.ok ? ok(opened.value.points) : opened;
      },
    });
