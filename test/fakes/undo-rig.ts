/** The file tools and the shell of an agent with restore points and snapshots, over a real folder and a real store. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok, type Result } from '../../src/contract/result.ts';
import type { Tool, ToolOutput } from '../../src/core/tools/tool.ts';
import { coverTool } from '../../src/core/undo/cover-tool.ts';
import type { RevertItem } from '../../src/core/undo/plan-revert.ts';
import {
  createRestorePoints,
  type RestorePoints,
  type RevertResult,
} from '../../src/core/undo/restore-points.ts';
import type { RestorePoint, RestoreStore, SnapshotPort } from '../../src/core/undo/snapshot-port.ts';
import {
  createWorkspaceSnapshots,
  type WorkspaceSnapshots,
} from '../../src/core/undo/workspace-snapshots.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { openRestoreStore } from '../../src/services/db/restore-store.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import { createEditFileTool } from '../../src/services/tools/files/edit-file.ts';
import { createWriteFileTool } from '../../src/services/tools/files/write-file.ts';
import { createBashExecTool } from '../../src/services/tools/restricted-commands/bash-exec-tool.ts';
import { createShellTool } from '../../src/services/tools/shell/shell-tool.ts';
import { topmostMissing } from '../../src/services/tools/snapshots/scan.ts';
import { createSnapshots, type SnapshotOptions } from '../../src/services/tools/snapshots/snapshots.ts';
import { createRecordingLog } from './recording-log.ts';
import { toolContext } from './tool-context.ts';

export interface UndoRig {
  readonly base: string;
  readonly root: string;
  readonly points: RestorePoints;
  readonly store: RestoreStore;
  readonly snapshots: SnapshotPort;
  readonly workspace: WorkspaceSnapshots;
  readonly tools: Readonly<Record<'write_file' | 'edit_file' | 'bash_exec' | 'shell', Tool>>;
  at(...names: string[]): string;
  call(
    tool: keyof UndoRig['tools'],
    args: Readonly<Record<string, unknown>>,
    turnId?: string,
  ): Promise<ToolOutput>;
  shell(cmd: string, turnId?: string): Promise<ToolOutput>;
  /** Points of a turn, oldest first; without reverts. */
  ofTurn(turnId?: string): readonly RestorePoint[];
  revert(points: readonly RestorePoint[], changed?: 'keep' | 'restore'): Promise<Result<RevertResult>>;
  states(points: readonly RestorePoint[]): Promise<Record<string, RevertItem['state']>>;
  close(): void;
}

export interface UndoRigOptions extends SnapshotOptions {
  /** Replaces parts of the store. */
  readonly store?: (store: RestoreStore) => RestoreStore;
  /** An existing folder, such as one that a killed process left. */
  readonly base?: string;
}

const rigFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'kennel-undo-')));

function toolsOf(root: string) {
  const clock = createSystemClock();
  const files = createConfinedFiles({ cwd: root, readable: [], writable: [root] });
  const process = createProcessPort({ clock });
  const shell = {
    sandbox: null,
    notes: null,
    unsandboxed: true,
    linkedFiles: false,
    network: false,
    timeoutS: 60,
    maxOutputChars: 9_000,
  };
  const tools = {
    write_file: createWriteFileTool(files),
    edit_file: createEditFileTool(files),
    bash_exec: createBashExecTool({ files, process, clock }),
    shell: createShellTool({ files, process, clock, ...shell }),
  };
  return { files, tools };
}

export function createUndoRig({
  store: replaced,
  base = rigFolder(),
  ...options
}: UndoRigOptions = {}): UndoRig {
  const root = join(base, 'work');
  mkdirSync(root, { recursive: true });
  const clock = createSystemClock();
  const log = createRecordingLog();
  const opened = openRestoreStore({
    path: join(base, 'restore.db'),
    key: new Uint8Array(32).fill(3),
    clock,
    log,
  });
  const store = replaced ? replaced(opened) : opened;
  const snapshots = createSnapshots(options);
  let made = 0;
  const newId = (): string => {
    made += 1;
    return `undo_${process.pid}_${made}`;
  };
  const points = createRestorePoints({ snapshots, clock, newId, log }, store);
  let taken = 0;
  const workspace = createWorkspaceSnapshots({
    snapshots,
    store,
    points,
    clock,
    newId: () => {
      taken += 1;
      return `snap_${process.pid}_${taken}`;
    },
  });
  const { files, tools: plain } = toolsOf(root);
  const cover = (tool: Tool): Tool =>
    coverTool(tool, { roots: files.roots, anchor: topmostMissing, log, points: async () => ok(points) });
  const tools = {
    write_file: cover(plain.write_file),
    edit_file: cover(plain.edit_file),
    bash_exec: cover(plain.bash_exec),
    shell: cover(plain.shell),
  };
  let calls = 0;
  const call: UndoRig['call'] = async (name, args, turnId = 'turn-1') => {
    calls += 1;
    const context = toolContext({ callId: `call-${calls}`, turnId });
    const assessment = await tools[name].assess(args, context);
    if (assessment.blocked) throw new Error(assessment.blocked.message);
    return tools[name].execute(args, context);
  };
  return {
    base,
    root,
    points,
    store,
    snapshots,
    workspace,
    tools,
    call,
    at: (...names) => join(root, ...names),
    shell: (cmd, turnId) => call('shell', { cmd }, turnId),
    ofTurn: (turnId = 'turn-1') =>
      store
        .list({ turnId, limit: 100 })
        .filter(({ tool }) => tool !== 'undo')
        .reverse(),
    async revert(of, changed = 'keep') {
      const items = await points.plan(of);
      if (!items.ok) return items;
      return points.revert(items.value, {
        points: of,
        changed,
        title: 'undo',
        audit: async () => ok(undefined),
      });
    },
    async states(of) {
      const items = await points.plan(of);
      if (!items.ok) throw new Error(items.error.message);
      return Object.fromEntries(
        items.value.map(({ state, made: { path } }) => [path.slice(root.length + 1), state]),
      );
    },
    close() {
      opened.release();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
