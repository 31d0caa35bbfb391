import type { Log } from '../../core/ports.ts';
import { type CoverToolDeps, coverTool } from '../../core/undo/cover-tool.ts';
import { topmostMissing } from '../../services/tools/snapshots/scan.ts';
import type { AgentKitDeps } from '../fleet/agent-kit.ts';

/** Covers the tools of all agents with restore points in one store. */
export const createToolCover =
  (points: CoverToolDeps['points'], log: Log): AgentKitDeps['covered'] =>
  (tool, { roots }) =>
    coverTool(tool, { roots, anchor: topmostMissing, log, points });
