import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readCodexSettings } from '../../contract/codex-settings.ts';
import { type FoundServers, readServerSettings } from '../../contract/mcp-settings.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { askYes, canAsk, commandFailure, exitOk, show } from '../terminal.ts';

interface ImportFlags {
  readonly json?: boolean;
  readonly agent?: string;
  readonly yes?: boolean;
}

const macSettings = join(homedir(), 'Library', ['Application', 'Support'].join(' '));

const filesOf = {
  codex: () => [join(process.env.CODEX_HOME ?? join(homedir(), '.codex'), 'config.toml')],
  claude: () => [
    join(homedir(), '.claude.json'),
    join(homedir(), '.config', 'Claude', 'claude_desktop_config.json'),
    join(macSettings, 'Claude', 'claude_desktop_config.json'),
  ],
  vscode: () => [
    join(process.cwd(), '.vscode', 'mcp.json'),
    join(homedir(), '.config', 'Code', 'User', 'mcp.json'),
    join(macSettings, 'Code', 'User', 'mcp.json'),
  ],
} as const;
const programs = Object.keys(filesOf);

/** `null` if the file does not exist. */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = systemErrorCode(error) ?? '';
    if (why === 'ENOENT') return null;
    throw commandFailure('invalid_input', 'cliFiles.cannotRead', { path, why });
  }
}

async function runImport([program = '', file]: readonly string[], flags: ImportFlags): Promise<number> {
  if (program !== 'claude' && program !== 'codex' && program !== 'vscode')
    throw commandFailure('invalid_input', 'cliMcp.unknownProgram', { program, known: programs.join(', ') });
  const paths = file === undefined ? filesOf[program]() : [file];
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: await readText(path) })));
  const read = texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
  if (read.length === 0) throw commandFailure('not_found', 'cliMcp.noSettings', { paths: paths.join(', ') });
  const settings: FoundServers[] = [];
  for (const { path, text } of read) {
    const json = program === 'codex' ? readCodexSettings(text, (await import('smol-toml')).parse) : text;
    const known = json === null ? null : readServerSettings(json);
    if (known === null) throw commandFailure('invalid_input', 'cliMcp.unreadable', { path });
    settings.push(known);
  }
  const found = settings.flatMap(({ servers }) => servers);
  const skipped = settings.reduce((sum, one) => sum + one.skipped, 0);
  const lines = found.map(({ name, secrets }) => {
    const names = Object.keys(secrets).join(', ');
    return names === '' ? `  ${name}` : copy('cliMcp.withSecrets', { name, names });
  });
  if (flags.json !== true)
    process.stdout.write(
      `${[copy('cliMcp.takes', { count: found.length, skipped }), ...lines].join('\n')}\n\n`,
    );
  if (flags.yes !== true && !(canAsk() && (await askYes(copy('cliMcp.importThese')))))
    throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
  return withHost('files', async ({ call }) => {
    const owner = flags.agent === undefined ? {} : { agent: flags.agent };
    for (const each of found) await call('mcpServers.add', { ...owner, ...each, replace: true });
    const imported = found.map(({ name, secrets }) => ({ name, secrets: Object.keys(secrets) }));
    show(flags.json === true, { imported, skipped }, copy('cliMcp.imported', { count: found.length }));
    return exitOk;
  });
}

/** Imported servers run only after the operator accepted each command. */
export const mcpImport = defineCommand({
  verb: 'import',
  args: '<program> [file]',
  options: [{ flags: '--agent <agent>' }, { flags: '--yes' }],
  examples: ['mcp import claude', 'mcp import codex ~/.codex/config.toml', 'mcp import vscode --yes --json'],
  run: runImport,
});
