import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HarnessId } from '../../contract/harnesses.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { ModelFormat, ModelRelay } from '../../core/runtimes/harness-ports.ts';

/** Folders of a program inside the agent's, for this program alone. */
export interface OwnFolders {
  readonly home: string;
  readonly config: string;
  readonly tmp: string;
}

export interface RecipeStart {
  /** Path of the program that is started. */
  readonly entry: string;
  /** Path of the program itself; the entry may be an adapter for it, or Node.js for a library. */
  readonly program: string;
  readonly folders: OwnFolders;
  /** `null`: the program uses the operator's login. */
  readonly choice: ModelChoice | null;
  /** Empty: the program's own default. */
  readonly model: string;
  /** Command line of agent.yml, for a program that Kennel does not know. */
  readonly command: readonly string[];
  /** Limit of model requests in a turn, for programs that know one. */
  readonly maxTurns: number;
  readonly access: Pick<ModelRelay, 'url' | 'token'> | null;
  readonly sessionId: string;
  readonly isNew: boolean;
  /** The operator's home folder. */
  readonly userHome: string;
  /** The workspace. */
  readonly cwd: string;
  readonly hasWall: boolean;
}

export interface StartLine {
  /** After the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders that must appear empty behind the wall. */
  readonly hidden?: readonly string[];
}

type TerminalArgs = readonly string[] | null;

/** How one program is started: its arguments, environment and settings, and the models that it can use. */
export interface ProgramRecipe {
  readonly harness: HarnessId;
  /** Format in which the program asks this model; `null` if it cannot use it. */
  formatFor(choice: ModelChoice): ModelFormat | null;
  /** Writes the program's settings. A secret must only be in `env`. */
  prepare(start: RecipeStart): StartLine | Promise<StartLine>;
  /**
   * Arguments with which the program itself goes on with a session in a terminal; `null` if it cannot. Absent for
   * a library, which has no terminal.
   */
  terminalArgs?(start: RecipeStart): TerminalArgs | Promise<TerminalArgs>;
}

/** Folders that a program needs: its own, that of the file behind a link, and what npm installed with it. */
export function installFolders(program: string): readonly string[] {
  const real = realpathSync(program);
  const modules = /^(.*?\/node_modules)\//.exec(real)?.[1];
  return [dirname(program), dirname(real), modules ?? dirname(dirname(real))];
}
