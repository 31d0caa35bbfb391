/** How a script of each language is started: the program, its arguments, and files that it needs beside the script. */
import { dirname } from 'node:path';
import { findProgram } from '../../../platform/find-program.ts';

export const scriptLanguages = ['python', 'node', 'typescript', 'bash'] as const;
export type ScriptLanguage = (typeof scriptLanguages)[number];

interface ScriptProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** Folders outside of the system's that the program needs. */
  readonly readable: readonly string[];
}

const folders = ['/usr/local/bin', '/usr/bin', '/bin'];

export const scriptFiles: Readonly<Record<ScriptLanguage, string>> = {
  python: 'script.py',
  node: 'script.mjs',
  typescript: 'script.mts',
  bash: 'script.sh',
};

/** Files of every run: they make \`tools\` known to scripts without an import. */
export const startFiles: Readonly<Record<string, string>> = {
  'start.py': [
    'import runpy, sys, tools',
    'sys.argv = sys.argv[1:]',
    'runpy.run_path(sys.argv[0], {"tools": tools, "ToolError": tools.ToolError}, "__main__")',
    '',
  ].join('\n'),
  'start.mjs': [
    "import { ToolError, tools } from './skills/lib/tools.mjs';",
    'Object.assign(globalThis, { ToolError, tools });',
    '',
  ].join('\n'),
};

/** Node itself; the packaged app does not run scripts, so there a Node of the system. */
const findNode = (): string | null =>
  process.versions.electron === undefined ? process.execPath : findProgram('node', folders);

/** `null` if this system has no program for the language. `folder`: absolute path of the folder of the run. */
export function findScriptProgram(language: ScriptLanguage, folder: string): ScriptProgram | null {
  const file = `${folder}/${scriptFiles[language]}`;
  const readable = [folder];
  if (language === 'python') {
    const program = findProgram('python3', folders);
    return program === null ? null : { program, args: ['-u', `${folder}/start.py`, file], readable };
  }
  if (language === 'bash') {
    const program = findProgram('bash', folders) ?? findProgram('sh', folders);
    return program === null ? null : { program, args: [file], readable };
  }
  const program = findNode();
  const args = ['--no-warnings', '--import', `${folder}/start.mjs`, file];
  return program === null ? null : { program, args, readable: [...readable, dirname(program)] };
}
