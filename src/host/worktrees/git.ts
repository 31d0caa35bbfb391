/**
 * Runs git for the operator in a repository that agents write. Nothing of its content or settings starts a program:
 * hooks, filters, merge programs and settings of the user are off, and a repository that could name another program is
 * refused (T14). An agent could change the settings after that check, so git runs in the sandbox, which shows the
 * repository alone. The worktree's own `.git` file is never read, because its agent can change it.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { gitHardening } from '../../core/policy/commands/build-argv.ts';
import type { ProcessPort, ProcessRequest, SandboxPort } from '../../core/tools/process-ports.ts';
import { systemErrorCode } from '../../platform/system-error.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { inspectRepository } from '../../services/tools/restricted-commands/repository.ts';
import { findTrustedProgram } from '../../services/tools/restricted-commands/run-program.ts';

const timeoutMs = 120_000;
const maxBytes = 8 * 1024 * 1024;

/** Beside the settings with which agents' own git commands run. */
const settings = [
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'merge.verifySignatures=false',
  'merge.renormalize=false',
  'rerere.enabled=false',
  'core.logAllRefUpdates=true',
  'core.sparseCheckout=false',
].flatMap((setting) => ['-c', setting]);

/** A program that merges files; only this file can name one, because other settings are not read. */
const mergePrograms = /(^|[\s\]])driver\s*=/i;

/** Author of Kennel's commits. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

export interface GitCall {
  readonly repository: string;
  /** Folder whose files git compares and writes; the top folder of the repository if absent. */
  readonly worktree?: { readonly path: string; readonly gitDir: string };
  /** Index of its own, so that the one of the worktree stays as it is. */
  readonly indexFile?: string;
  readonly author?: CommitAuthor;
}

export interface GitOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The output is longer than what was kept. */
  readonly isCut: boolean;
}

export interface Git {
  /** Refuses a folder that is not the top of a repository, or whose repository could start programs. */
  check(repository: string): Promise<Result<void>>;
  /** Returns any exit code. Call `check` before. */
  tryRun(call: GitCall, args: readonly string[]): Promise<Result<GitOutcome>>;
  /** The output; another exit code than 0 is an error with the output of git. */
  run(call: GitCall, args: readonly string[]): Promise<Result<string>>;
}

export const gitFolder = (repository: string): string => join(repository, '.git');

const refused = (repository: string, why: string): Result<never, AppError> =>
  err(fail('conflict', 'worktrees.repositoryRefused', { folder: repository, why }));

export interface GitPorts {
  readonly process: ProcessPort;
  /** `null` if this system has no working sandbox. */
  readonly sandbox: () => Promise<SandboxPort | null>;
}

export function createGit({ process, sandbox: findSandbox }: GitPorts): Git {
  const runIn = async (repository: string, request: ProcessRequest) => {
    const { signal } = new AbortController();
    const sandbox = await findSandbox();
    if (sandbox === null) return process.run(request, signal);
    return sandbox.run(request, { readable: [], writable: [repository], network: false }, signal);
  };
  const tryRun: Git['tryRun'] = async (call, args) => {
    const program = findTrustedProgram('git', [call.repository]);
    if (program === null) return err(fail('unavailable', 'worktrees.noGit'));
    const { repository, worktree, indexFile, author } = call;
    if (worktree && !isOwnRecord(worktree.gitDir)) return refused(repository, otherParts);
    const outcome = await runIn(repository, {
      program,
      args: [...gitHardening, ...settings, ...args],
      cwd: worktree?.path ?? repository,
      env: {
        ...environment,
        GIT_DIR: worktree?.gitDir ?? gitFolder(repository),
        GIT_WORK_TREE: worktree?.path ?? repository,
        ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
        ...(author === undefined ? {} : identityOf(author)),
      },
      timeoutMs,
      maxStdoutBytes: maxBytes,
      maxStderrBytes: 16_384,
    });
    if (!outcome.ok) return outcome;
    const { exitCode, stdout, stderr, stdoutBytes, timedOut } = outcome.value;
    if (timedOut || exitCode === null) return err(fail('timeout', 'worktrees.gitEnded'));
    return ok({
      code: exitCode,
      stdout: Buffer.from(stdout).toString('utf8'),
      stderr: Buffer.from(stderr).toString('utf8').trim(),
      isCut: stdoutBytes > stdout.length,
    });
  };
  return {
    tryRun,
    async check(repository) {
      const files = createConfinedFiles({ cwd: repository, readable: [repository], writable: [] });
      const top = await inspectRepository(files, repository);
      if (!top.ok) return refused(repository, top.error.message);
      if (top.value !== repository)
        return err(fail('conflict', 'worktrees.notTop', { folder: repository, top: top.value }));
      const config = readConfig(repository);
      if (config === null || mergePrograms.test(config))
        return err(fail('conflict', 'worktrees.mergeProgram', { folder: repository }));
      return ok(undefined);
    },
    async run(call, args) {
      const outcome = await tryRun(call, args);
      if (!outcome.ok) return outcome;
      const { code, stdout, stderr } = outcome.value;
      if (code === 0) return ok(stdout.trimEnd());
      const [line = ''] = stderr.split('\n').slice(-1);
      return err(fail('conflict', 'worktrees.gitRefused', { command: args[0] ?? '', why: line }));
    },
  };
}

const environment = {
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_EDITOR: 'false',
  GIT_MERGE_AUTOEDIT: 'no',
};

const identityOf = ({ name, email }: CommitAuthor) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

/** `null` if it cannot be read. */
function readConfig(repository: string): string | null {
  try {
    return readPlain(join(gitFolder(repository), 'config'));
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? '' : null;
  }
}

const maxPlain = 1024 * 1024;

/** The text of a file. Throws for a link, and for a pipe, which would never end. */
export function readPlain(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > maxPlain) throw new Error(`${path} is no small file.`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

const otherParts = 'This repository takes parts of another one; git was not started.';

/** Git's record of a worktree names the repository whose settings count; an agent can change it. */
function isOwnRecord(gitDir: string): boolean {
  try {
    if (!isPlainFolder(dirname(gitDir)) || !isPlainFolder(gitDir)) return false;
    const isLinked = readdirSync(gitDir, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
    return !isLinked && readPlain(join(gitDir, 'commondir')).trim() === '../..';
  } catch {
    return false;
  }
}

/** A folder, and no link to one. */
export function isPlainFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
