/**
 * Plans a command: every path is resolved and checked against the roots. The plan is made twice, for the
 * approval and again right before the command runs; both must be equal.
 */
import { basename, dirname, join, resolve } from 'node:path';
import type { AppError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { Effect } from '../../../core/policy/assessment.ts';
import { buildArgv } from '../../../core/policy/commands/build-argv.ts';
import { parseCommand } from '../../../core/policy/commands/parse-command.ts';
import type { Operand, OperandKind, ParsedCommand } from '../../../core/policy/commands/parsed-command.ts';
import {
  type BlockReason,
  type CommandRefusal,
  refuseCommand,
} from '../../../core/policy/commands/refusal.ts';
import { isGitInternal } from '../../../core/policy/control-files.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { isWindowsTrap } from '../confined/windows-names.ts';
import { below, programPath } from './path-arguments.ts';
import { inspectRepository, looksLikeRepository } from './repository.ts';

export interface CommandPlan {
  readonly command: ParsedCommand;
  /** The real, absolute path. */
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly effects: readonly Effect[];
  /** Top folder of the git repository, or `null` if the command is not git. */
  readonly repository: string | null;
}

type Access = 'read' | 'write' | 'entry';
type Checked = Result<string | null, CommandRefusal>;

const isExternal = ({ name }: ParsedCommand): boolean => name === 'find' || name === 'rg' || name === 'git';

function pathRefusal(error: AppError, access: Access, path: string, isRoot: boolean): CommandRefusal | null {
  const shown = path.slice(0, 200);
  if (error.code === 'forbidden') {
    const outside: BlockReason =
      access === 'read' ? 'path_outside_allowed_roots' : 'path_outside_writable_roots';
    const reason = isRoot && access !== 'read' ? 'write_target_is_root_blocked' : outside;
    return { reason, message: `${shown}: ${error.message}` };
  }
  if (error.code === 'not_found' || error.code === 'conflict') return null;
  return { reason: 'path_not_usable', message: `${shown}: ${error.message}` };
}

function isRootPath(files: ConfinedFiles, path: string): boolean {
  const real = files.resolve(path, 'read');
  return real.ok && [...files.roots.writable, files.roots.cwd].includes(real.value);
}

/** Checks a resolved path: its kind must fit, and a file to open must not have another hard link. */
async function checkThing(
  files: ConfinedFiles,
  path: string,
  text: string,
  real: string,
  access: 'read' | 'write',
): Promise<Checked> {
  const entry = await files.stat(path);
  if (!entry.ok) return ok(access === 'read' ? null : real);
  // A link whose target was missing after resolution.
  if (entry.value.kind === 'link' && access === 'write')
    return refuseCommand(
      'path_outside_writable_roots',
      `${text.slice(0, 200)} is a link that leads nowhere.`,
    );
  if (entry.value.kind === 'other')
    return refuseCommand('path_not_usable', `${text.slice(0, 200)} is neither a plain file nor a folder.`);
  // Only opening the file reveals hard links.
  const opened = entry.value.kind === 'file' ? await files.read(path, { maxBytes: 0 }) : entry;
  const refusal = opened.ok ? null : pathRefusal(opened.error, access, text, false);
  return refusal ? err(refusal) : ok(real);
}

/** Returns the real path, `null` for a read if the path does not exist, or the refusal. */
async function checkPath(files: ConfinedFiles, cwd: string, text: string, access: Access): Promise<Checked> {
  const path = below(cwd, text);
  if (process.platform === 'win32' && isWindowsTrap(text))
    return refuseCommand('path_not_usable', `"${text.slice(0, 80)}" does not name a file.`);
  const real = files.resolve(path, access);
  // Files inside a repository decide which programs git starts.
  if (
    access === 'write' &&
    [path, real.ok ? real.value : path].some((at) => isGitInternal(at, looksLikeRepository))
  )
    return refuseCommand('protected_path', 'Files of git are not written here; git would act on them.');
  if (!real.ok) {
    const refusal = pathRefusal(real.error, access, text, isRootPath(files, path));
    return refusal ? err(refusal) : ok(null);
  }
  if (access !== 'entry') return checkThing(files, path, text, real.value, access);
  // With a trailing slash, a link means its target.
  return /[/\\][.]?$/.test(text) ? checkPath(files, cwd, text, 'write') : real;
}

async function isFolder(files: ConfinedFiles, path: string): Promise<boolean> {
  const entry = await files.stat(path);
  return entry.ok && entry.value.kind === 'folder';
}

/** The path a source gets: the target itself, or a name below it if the target is an existing folder. */
export async function targetOf(
  files: ConfinedFiles,
  cwd: string,
  target: string,
  source: string,
): Promise<string> {
  const path = below(cwd, target);
  return (await isFolder(files, path)) ? join(path, basename(below(cwd, source))) : path;
}

/** The path of a missing file, below the real folder if that exists. */
function missingPath(files: ConfinedFiles, path: string): string {
  const plain = resolve(path);
  const folder = files.resolve(dirname(plain), 'read');
  return folder.ok ? join(folder.value, basename(plain)) : plain;
}

const accessOf: Partial<Record<OperandKind, Access>> = {
  read: 'read',
  'expression-path': 'read',
  write: 'write',
  entry: 'entry',
};

/** The effects of one operand; a target counts once per source. */
async function operandEffects(
  files: ConfinedFiles,
  cwd: string,
  command: ParsedCommand,
  operand: Operand,
): Promise<Result<readonly Effect[], CommandRefusal>> {
  const effects: Effect[] = [];
  if (operand.kind === 'target') {
    for (const source of command.operands.slice(0, -1)) {
      const path = await targetOf(files, cwd, operand.text, source.text);
      const real = await checkPath(files, cwd, path, 'write');
      if (!real.ok) return real;
      effects.push({ kind: 'write', path: real.value ?? missingPath(files, path) });
    }
    return ok(effects);
  }
  const access = accessOf[operand.kind];
  if (access === undefined) return ok(effects);
  const real = await checkPath(files, cwd, operand.text, access);
  if (!real.ok) return real;
  const path = real.value ?? missingPath(files, below(cwd, operand.text));
  effects.push({ kind: access === 'entry' ? 'delete' : access, path });
  return ok(effects);
}

async function resolveCwd(files: ConfinedFiles, asked: string): Promise<Result<string, CommandRefusal>> {
  const real = files.resolve(below(files.roots.cwd, asked), 'read');
  if (!real.ok && real.error.code === 'forbidden')
    return refuseCommand(
      'cwd_outside_allowed_roots',
      'The working folder is outside the folders that may be used.',
    );
  if (!real.ok || !(await isFolder(files, real.value)))
    return refuseCommand('invalid_cwd', 'The working folder does not exist.');
  return real;
}

/** Refuses a git argument that git would read as a path, or as a path in a revision, outside of the roots. */
function leavesByWord(files: ConfinedFiles, cwd: string, { kind, text }: Operand): CommandRefusal | null {
  if (kind !== 'revision' && kind !== 'revision-or-path') return null;
  const inRevision = /^[^:]+:([\s\S]*)$/.exec(text)?.[1];
  const leaves = [text, ...(inRevision === undefined ? [] : [inRevision])].some((path) => {
    const real = path === '' ? null : files.resolve(below(cwd, path), 'read');
    return real !== null && !real.ok && real.error.code === 'forbidden';
  });
  if (!leaves) return null;
  const message = `${text.slice(0, 200)} is outside the folders that may be used; git was not started.`;
  return { reason: 'path_outside_allowed_roots', message };
}

export async function makePlan(
  files: ConfinedFiles,
  cmd: string,
  askedCwd: string,
): Promise<Result<CommandPlan, CommandRefusal>> {
  const parsed = parseCommand(cmd);
  if (!parsed.ok) return parsed;
  const command = parsed.value;
  const cwd = await resolveCwd(files, askedCwd);
  if (!cwd.ok) return cwd;
  const effects: Effect[] = [];
  const isPath = (text: string): boolean => files.resolve(below(cwd.value, text), 'read').ok;
  for (const operand of command.operands) {
    const outside = leavesByWord(files, cwd.value, operand);
    if (outside) return err(outside);
    // Git arguments that name existing files are checked as files.
    const kind = operand.kind === 'revision-or-path' && isPath(operand.text) ? 'read' : operand.kind;
    const found = await operandEffects(files, cwd.value, command, { ...operand, kind });
    if (!found.ok) return found;
    effects.push(...found.value);
  }
  const repository = command.name === 'git' ? await inspectRepository(files, cwd.value) : ok(null);
  if (!repository.ok) return repository;
  const argv = buildArgv(command, { path: isExternal(command) ? programPath : (text) => text, isPath });
  // Git reads the repository's settings and objects, from any working folder inside it.
  if (repository.value !== null) effects.push({ kind: 'read', path: repository.value });
  effects.push({ kind: 'run', argv, cwd: cwd.value, sandbox: 'confined' });
  return ok({ command, cwd: cwd.value, argv, effects, repository: repository.value });
}
