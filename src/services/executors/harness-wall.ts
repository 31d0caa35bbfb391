/**
 * Starts a long-lived program of an agent in bubblewrap: it sees the folders of its wall and the programs of the
 * system. With network `none` it reaches only the socket of its model.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HarnessCommand, HarnessWall } from '../../core/runtimes/harness-ports.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import { realPathOrNull } from '../../platform/real-path.ts';
import { bubblewrapArgs, findBubblewrapProgram } from './bubblewrap.ts';
import { bridgeArgs, findModelBridge } from './model-bridge.ts';

export interface HarnessWalls {
  /** The command line that runs the command behind its wall. */
  argvOf(command: HarnessCommand, wall: HarnessWall): Result<HarnessCommand['argv']>;
}

/** `null` if this system offers no sandbox. `hidden`: folders that no wall may show, such as the data folder. */
export async function findHarnessWalls(
  process: ProcessPort,
  hidden: readonly string[],
): Promise<HarnessWalls | null> {
  const program = await findBubblewrapProgram(process);
  if (program === null) return null;
  const always = hidden.map((path) => realPathOrNull(path) ?? path);
  return {
    argvOf({ argv, cwd }, wall) {
      const isAlone = wall.network === 'none';
      const model = isAlone ? wall.model : null;
      const bridge = model === null ? null : findModelBridge();
      if (model !== null && bridge === null) return err(fail('unavailable', 'harness.noBridge'));
      const inside = model === null || bridge === null ? argv : bridgeArgs(bridge, model, argv);
      const shown = [
        ...(bridge?.kind === 'node' ? [bridge.node] : []),
        ...(model === null ? [] : [model.socketPath]),
      ];
      const view = {
        readable: [...real(wall.readable), ...shown],
        writable: real(wall.writable),
        network: !isAlone,
      };
      return ok([program, ...bubblewrapArgs(view, cwd, [...always, ...wall.hidden]), ...inside]);
    },
  };
}

/** A folder that became a link would expose the target of the link. */
const real = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => realPathOrNull(path) === path);
