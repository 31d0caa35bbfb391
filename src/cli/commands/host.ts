import { setTimeout as sleep } from 'node:timers/promises';
import type { HostView } from '../../contract/model.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import { isProcessAlive } from '../../platform/process-signals.ts';
import { defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { readHostFile } from '../home.ts';
import { withHost } from '../host-call.ts';
import { connectHost } from '../host-client.ts';
import { progress } from '../progress.ts';
import { runStatus } from '../status.ts';
import { colored, SafeText } from '../table.ts';
import {
  askNewPassphrase,
  askSecret,
  askYes,
  canAsk,
  commandFailure,
  exitFailed,
  exitOk,
  show,
} from '../terminal.ts';
import { printable } from '../visible-text.ts';

interface Json {
  readonly json?: boolean;
}

const runStatusCommand = (_args: readonly string[], options: Json): Promise<number> =>
  runStatus(options.json === true);

async function gone(home: string, pid: number, end: number): Promise<boolean> {
  while (isProcessAlive(pid) && readHostFile(home)?.pid === pid) {
    if (performance.now() >= end) return false;
    await sleep(50);
  }
  return true;
}

async function runStop(_args: readonly string[], options: Json & { timeout: string }): Promise<number> {
  const seconds = Number(options.timeout);
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > 86_400)
    throw commandFailure('invalid_input', 'cliTerminal.takesSeconds', { flag: '--timeout' });
  const home = dataFolder(process.env);
  const end = performance.now() + seconds * 1000;
  const pid = readHostFile(home)?.pid;
  const client = await connectHost(home);
  if (!client || pid === undefined) {
    show(options.json === true, { stopped: false, running: false }, copy('cliHost.notRunning'));
    return exitOk;
  }
  // A host that hangs accepts the connection but never answers.
  const patience = sleep(seconds * 1000, undefined, { ref: false });
  await progress.during(Promise.race([client.call('host.stop', { reason: 'kennel stop' }), patience]));
  client.close();
  if (await progress.during(gone(home, pid, end))) {
    show(options.json === true, { stopped: true, running: false }, copy('cliHost.stopped'));
    return exitOk;
  }
  throw commandFailure('timeout', 'cliHost.stillRunning', { seconds });
}

async function runOpen(_args: readonly string[], options: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { url } = await call('host.webLink', {});
    show(options.json === true, { url }, url);
    return exitOk;
  });
}

/** The passphrase of a locked vault, or a new one if nothing protects the secrets yet. */
async function passphraseFor({ state, vault }: HostView): Promise<string | null> {
  const given = process.env.KENNEL_PASSPHRASE;
  if (given) return given;
  if (!canAsk()) {
    throw commandFailure(
      'invalid_input',
      'cliTerminal.askPassphraseInTerminal',
      {},
      { help: 'cliTerminal.setPassphrase' },
    );
  }
  if (state === 'locked') return (await askSecret(copy('cliHost.passphrase'))) || null;
  return vault.kind === 'none' || vault.kind === 'demo-file'
    ? askNewPassphrase(copy('cliHost.newPassphrase'))
    : null;
}

async function runUnlock(_args: readonly string[], options: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { wasLocked } = await call('host.unlockPage', {});
    const view = await call('host.view', {});
    if (
      view.state === 'ready' &&
      (wasLocked || view.vault.kind === 'keychain' || view.vault.kind === 'passphrase')
    ) {
      show(
        options.json === true,
        { unlocked: true },
        wasLocked ? copy('cliHost.pageUnlocked') : copy('cliHost.secretsOpen'),
      );
      return exitOk;
    }
    const passphrase = await passphraseFor(view);
    if (passphrase === null) throw commandFailure('invalid_input', 'cliHost.noPassphrase');
    await call('host.unlock', { passphrase });
    show(options.json === true, { unlocked: true }, copy('cliHost.unlocked'));
    return exitOk;
  });
}

async function runLock(_args: readonly string[], options: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { browsers } = await call('host.lock', {});
    show(options.json === true, { locked: true, browsers }, copy('cliHost.locked', { browsers }));
    return exitOk;
  });
}

async function runSignOut(_args: readonly string[], options: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { browsers } = await call('host.signOutBrowsers', {});
    show(options.json === true, { browsers }, copy('cliHost.signedOut', { browsers }));
    return exitOk;
  });
}

const checkTones = { ok: 'good', warn: 'attention', fail: 'bad' } as const;

async function runDoctor(_args: readonly string[], options: Json): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { checks } = await call('host.doctor', {});
    const words = {
      ok: copy('cliHost.check_ok'),
      warn: copy('cliHost.check_warn'),
      fail: copy('cliHost.check_fail'),
    };
    const width = Math.max(...Object.values(words).map((word) => word.length));
    const lines = checks.map(
      ({ status, title, detail, hint }) =>
        new SafeText(
          `${colored(checkTones[status], words[status].padEnd(width))}  ${printable(`${shown(title)}: ${shown(detail)}${hint && status !== 'ok' ? `\n${' '.repeat(width + 2)}${shown(hint)}` : ''}`)}`,
        ),
    );
    show(options.json === true, { checks }, lines);
    return checks.some(({ status }) => status === 'fail') ? exitFailed : exitOk;
  });
}

async function runDemoRemove(_args: readonly string[], options: Json): Promise<number> {
  if (options.json !== true && canAsk() && !(await askYes(copy('cliHost.deleteDemo')))) {
    throw commandFailure('cancelled', 'cliTerminal.nothingDeleted');
  }
  return withHost('running-host', async ({ call }) => {
    const { note } = await call('setup.removeDemo', {});
    const gone = copy('cliHost.demoGone');
    show(
      options.json === true,
      { removed: true, ...(note ? { note } : {}) },
      note ? `${gone}\n${shown(note)}` : gone,
    );
    return exitOk;
  });
}

export const stopCommand = defineCommand({
  verb: '',
  progress: 'cliProgress.stopping',
  options: [{ flags: '--timeout <seconds>', fallback: '60' }],
  examples: ['stop', 'stop --timeout 5', 'stop --json'],
  run: runStop,
});

export const statusCommand = defineCommand({
  verb: '',
  examples: ['status', 'status --json', "status --json | jq '.agents.needsYou'"],
  run: runStatusCommand,
});

export const openCommand = defineCommand({
  verb: '',
  examples: ['open', 'open --json', 'open | xargs xdg-open'],
  run: runOpen,
});

export const unlockCommand = defineCommand({
  verb: '',
  examples: ['unlock', 'lock', 'unlock --json'],
  run: runUnlock,
});

export const lockCommand = defineCommand({
  verb: '',
  examples: ['lock', 'unlock', 'lock --json'],
  run: runLock,
});

export const signOutCommand = defineCommand({
  verb: '',
  examples: ['sign-out', 'open', 'sign-out --json'],
  run: runSignOut,
});

export const doctorCommand = defineCommand({
  verb: '',
  progress: 'cliProgress.checking',
  examples: ['doctor', 'doctor --json', 'doctor --json | jq \'.checks[] | select(.status!="ok")\''],
  run: runDoctor,
});

export const demoRemoveCommand = defineCommand({
  verb: 'remove',
  progress: 'cliProgress.removingDemo',
  examples: ['demo remove', 'demo remove --json', 'start --demo'],
  run: runDemoRemove,
});
