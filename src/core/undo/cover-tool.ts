/**
 * Puts a restore point around every call of a tool that changes files below the agent's writable folders. The
 * effects that the tool reports decide what is captured. A call whose point cannot be stored does not run.
 */
import type { Result } from '../../contract/result.ts';
import { StoreError } from '../lib/store-error.ts';
import type { Assessment, FileRoots } from '../policy/assessment.ts';
import { isInside } from '../policy/paths.ts';
import type { Log } from '../ports.ts';
import { failureText, toolErrorOutput } from '../tools/output.ts';
import type { Tool, ToolCallContext, ToolOutput } from '../tools/tool.ts';
import type { Gap } from './path-state.ts';
import type { BegunPoint, RestorePoints } from './restore-points.ts';

/** ms that the snapshots around a call may take, in addition to its own time limit. */
const snapshotMs = 120_000;

export interface CoverToolDeps {
  readonly roots: Pick<FileRoots, 'writable'>;
  /** Opened with the first call that changes a file. */
  readonly points: () => Promise<Result<Pick<RestorePoints, 'begin'>>>;
  /** The topmost missing folder on the way to a path below a root, or the path itself. */
  readonly anchor: (path: string, root: string) => string;
  readonly log: Log;
}

interface ChangedPaths {
  readonly paths: readonly string[];
  readonly gaps: readonly Gap[];
}

/** The outermost paths that a call may change, and those that no restore point covers. */
export function changedPaths(
  { effects }: Pick<Assessment, 'effects'>,
  { roots, anchor }: Pick<CoverToolDeps, 'roots' | 'anchor'>,
): ChangedPaths {
  const gaps: Gap[] = [];
  const found = new Set<string>();
  for (const effect of effects) {
    if (effect.kind === 'run' && effect.sandbox === 'none') gaps.push({ path: effect.cwd, why: 'outside' });
    if (effect.kind !== 'write' && effect.kind !== 'delete') continue;
    const root = roots.writable.find((one) => isInside(one, effect.path));
    if (root === undefined) gaps.push({ path: effect.path, why: 'outside' });
    else found.add(anchor(effect.path, root));
  }
  const paths = [...found].filter((path) =>
    [...found].every((other) => other === path || !isInside(other, path)),
  );
  return { paths, gaps };
}

export function coverTool(tool: Tool, deps: CoverToolDeps): Tool {
  const begin = async (
    args: Readonly<Record<string, unknown>>,
    context: ToolCallContext,
  ): Promise<Result<BegunPoint | null>> => {
    const assessment = await tool.assess(args, context);
    const { paths, gaps } = changedPaths(assessment, deps);
    if (assessment.blocked || paths.length === 0) return { ok: true, value: null };
    const points = await deps.points();
    if (!points.ok) return points;
    const { agentId, turnId, threadKey, callId } = context;
    const { title } = assessment.preview;
    const origin = { agentId, turnId, threadKey, callId, tool: tool.name, title };
    return points.value.begin({ ...origin, paths, gaps }, context.signal);
  };
  const end = async (point: BegunPoint): Promise<string | null> => {
    try {
      return await point.end();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The point stays open with its state before; the next start settles it.
      deps.log.warn('restore_point_open', { code: error.code, message: error.message });
      return null;
    }
  };
  return {
    ...tool,
    ...(tool.timeoutMs === undefined ? {} : { timeoutMs: tool.timeoutMs + snapshotMs }),
    async execute(args, context): Promise<ToolOutput> {
      const begun = await begin(args, context);
      if (!begun.ok) {
        const text = `No restore point could be saved, so nothing was run. ${failureText(begun.error)}`;
        return toolErrorOutput(text, { code: begun.error.code });
      }
      const point = begun.value;
      if (!point) return tool.execute(args, context);
      let output: ToolOutput;
      try {
        output = await tool.execute(args, context);
      } catch (error) {
        await end(point);
        throw error;
      }
      const restorePoint = await end(point);
      return restorePoint === null ? output : { ...output, restorePoint };
    },
  };
}
