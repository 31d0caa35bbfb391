/**
 * The script of one command: it restores the shell of the session, runs the command, and keeps the shell again. It is
 * a file, because arguments are shown by `ps` and limited in length.
 */
import { extname } from 'node:path';
import type { CommandOptions, ExecutorOptions, SessionCommand } from '../../core/executors/executor-ports.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** Programs that run a script, by its ending. */
const interpreters: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.sh': 'sh',
};

/** `null` if no program runs files with this ending. */
export const interpreterOf = (file: string): string | null => interpreters[extname(file)] ?? null;

export interface ScriptParts {
  readonly command: SessionCommand;
  readonly workspace: string;
  /** Folder of the shell's state, writable inside. */
  readonly stateFolder: string;
  readonly env: NonNullable<CommandOptions['env']>;
  /** Limits that the shell sets itself; absent if the executor enforces them. */
  readonly limits: Pick<ExecutorOptions, 'memory' | 'pids'> | null;
}

const kept = (name: string): readonly string[] => [
  `__kennel_had_${name}=\${${name}+x} __kennel_was_${name}=\${${name}-}`,
];
const putBack = (name: string): string =>
  `if [ -n "$__kennel_had_${name}" ]; then ${name}=$__kennel_was_${name}; else unset ${name}; fi; unset __kennel_had_${name} __kennel_was_${name}`;

/** bash keeps functions and aliases, too; another shell keeps its folder and the exported variables. */
export function sessionScript({ command, workspace, stateFolder, env, limits }: ScriptParts): string {
  const names = Object.keys(env).filter(isName);
  const isShell = 'command' in command;
  const state = quoted(`${stateFolder}/state`);
  const lines = [
    'if [ -z "$BASH_VERSION" ] && command -v bash >/dev/null 2>&1; then exec bash "$0"; fi',
    ...(limits === null
      ? []
      : [
          `ulimit -d ${limits.memory * 1024} 2>/dev/null`,
          `ulimit -u ${limits.pids} 2>/dev/null || ulimit -p ${limits.pids} 2>/dev/null`,
        ]),
    'unset OLDPWD',
    `cd -- ${quoted(workspace)} || exit 125`,
    // PWD is among the exported variables.
    `if [ -f ${state} ]; then . ${state} 2>/dev/null; cd -- "$PWD" 2>/dev/null; fi`,
    ...names.flatMap(kept),
    ...names.map((name) => `export ${name}=${quoted(env[name] ?? '')}`),
  ];
  if (isShell)
    lines.push(
      '__kennel_keep() {',
      '__kennel_code=$?',
      'trap - EXIT',
      ...names.map(putBack),
      '{ export -p',
      'if [ -n "$BASH_VERSION" ]; then declare -f; alias -p; shopt -p; fi',
      `} >${quoted(`${stateFolder}/next`)} 2>/dev/null && mv -f ${quoted(`${stateFolder}/next`)} ${state}`,
      'exit $__kennel_code',
      '}',
      'trap __kennel_keep EXIT',
      `eval ${quoted(command.command)}`,
    );
  else {
    const program = interpreterOf(command.file) ?? 'sh';
    const words = [program, command.file, ...(command.args ?? [])].map(quoted).join(' ');
    lines.push(`cd -- ${quoted(workspace)} && exec ${words}`);
  }
  return `${lines.join('\n')}\n`;
}
