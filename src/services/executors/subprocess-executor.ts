/** Runs commands with the rights of the person, without a sandbox; only if the operator allows that. */
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { Executor } from '../../core/executors/executor-ports.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import { say } from '../../language/say.ts';
import { openSession } from './executor-session.ts';
import { refuseUnless, type SessionFolders } from './session-folders.ts';

export interface SubprocessDeps {
  readonly process: ProcessPort;
  readonly folders: SessionFolders;
  /** Folders with programs, separated by colons. */
  readonly path: string;
  /** Whether the operator allows programs without a sandbox. */
  readonly isAllowed: boolean;
}

export function createUnwalledExecutor({ process, folders, path, isAllowed }: SubprocessDeps): Executor {
  const verify = async () =>
    isAllowed
      ? { ok: true, message: say('executors.subprocessOk'), mend: null }
      : { ok: false, message: say('executors.notAllowed'), mend: say('executors.allowUnsandboxed') };
  return {
    kind: 'subprocess',
    capabilities: {
      isolation: 'rights',
      files: false,
      network: false,
      memory: true,
      pids: globalThis.process.getuid?.() !== 0,
      image: false,
    },
    verify,
    async open(request) {
      const may = refuseUnless('subprocess', await verify());
      if (!may.ok) return may;
      // A list that nothing enforces would be believed.
      if (request.options.allowed_domains.length + request.options.denied_domains.length > 0)
        return err(fail('unsupported', 'executors.noDomains', { kind: 'subprocess' }));
      const { ask: _, ...plain } = request;
      return openSession({
        process,
        folder: folders.next(),
        request: plain,
        start: async () =>
          ok({
            outer: ([program = 'sh', ...args]) => ({
              program: program === 'sh' ? '/bin/sh' : program,
              args,
              cwd: request.workspace,
              env: { PATH: path, HOME: request.workspace, LANG: 'C.UTF-8', TERM: 'dumb' },
            }),
            env: {},
            limitsInShell: true,
            close: async () => undefined,
          }),
      });
    },
  };
}
