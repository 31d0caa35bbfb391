import { setTimeout as sleep } from 'node:timers/promises';
import type { HostView } from '../../contract/model.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import { isProcessAlive } from '../../platform/process-signals.ts';
import { defineCommand } from '../command.ts';
import { shown } from '../copy.ts';
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
  CommandFailure,
  canAsk,
  commandFailure,
  exitFailed,
  exitOk,
  show,
  usageError,
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
    throw usageError('--timeout takes seconds.');
  const home = dataFolder(process.env);
  const end = performance.now() + seconds * 1000;
  const pid = readHostFile(home)?.pid;
  const client = await connectHost(home);
  if (!client || pid === undefined) {
    show(
      options.json === true,
      { stopped: false, running: false },
      'Kennel is not running; nothing to stop.',
    );
    return exitOk;
  }
  // A host that hangs accepts the connection but never answers.
  const patience = sleep(seconds * 1000, undefined, { ref: false });
  await progress.during(Promise.race([client.call('host.stop', { reason: 'kennel stop' }), patience]));
  client.close();
  if (await progress.during(gone(home, pid, end))) {
    show(options.json === true, { stopped: true, running: false }, 'Kennel has stopped.');
    return exitOk;
  }
  throw new CommandFailure(
    { code: 'timeout', message: `Kennel was told to stop but is still there after ${seconds} s.` },
    exitFailed,
  );
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
  if (state === 'locked') return (await askSecret('Passphrase: ')) || null;
  return vault.kind === 'none' || vault.kind === 'demo-file'
    ? askNewPassphrase('A new passphrase for your secrets: ')
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
        wasLocked
          ? 'The page is unlocked.'
          : 'Your secrets are open. A locked window of the app opens within ten seconds.',
      );
      return exitOk;
    }
    const passphrase = await passphraseFor(view);
    if (passphrase === null) throw usageError('No passphrase was given; nothing was changed.');
    await call('host.unlock', { passphrase });
    show(options.json === true, { unlocked: true }, 'Unlocked.');
    return exitOk;
  });
}

const countBrowsers = (count: number): string => (count === 1 ? '1 browser' : `${count} browsers`);

async function runLock(_args: readonly string[], options: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { browsers } = await call('host.lock', {});
    const said = `The page is locked (${countBrowsers(browsers)} signed in). "kennel unlock" opens it again.`;
    show(options.json === true, { locked: true, browsers }, said);
    return exitOk;
  });
}

async function runSignOut(_args: readonly string[], options: Json): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { browsers } = await call('host.signOutBrowsers', {});
    show(options.json === true, { browsers }, `Signed out of ${countBrowsers(browsers)}.`);
    return exitOk;
  });
}

async function runDoctor(_args: readonly string[], options: Json): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { checks } = await call('host.doctor', {});
    const marks = {
      ok: colored('good', 'ok  '),
      warn: colored('attention', 'warn'),
      fail: colored('bad', 'FAIL'),
    };
    const lines = checks.map(
      ({ status, title, detail, hint }) =>
        new SafeText(
          `${marks[status]}  ${printable(`${shown(title)}: ${shown(detail)}${hint && status !== 'ok' ? `\n      ${shown(hint)}` : ''}`)}`,
        ),
    );
    show(options.json === true, { checks }, lines);
    return checks.some(({ status }) => status === 'fail') ? exitFailed : exitOk;
  });
}

async function runDemoRemove(_args: readonly string[], options: Json): Promise<number> {
  if (options.json !== true && canAsk() && !(await askYes('Delete everything the demo made?'))) {
    throw new CommandFailure({ code: 'cancelled', message: 'Nothing was deleted.' });
  }
  return withHost('running-host', async ({ call }) => {
    const { note } = await call('setup.removeDemo', {});
    const gone = 'The demo is gone: its agents, identities, messages and relay.';
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
  summary: 'Stop the running Kennel',
  progress: 'Stopping',
  options: [{ flags: '--timeout <seconds>', summary: 'how long to wait', fallback: '60' }],
  examples: [
    ['stop', 'Stop Kennel after its running steps'],
    ['stop --timeout 5', 'Wait five seconds at most'],
    ['stop --json', 'Print the result as JSON'],
  ],
  run: runStop,
});

export const statusCommand = defineCommand({
  verb: '',
  summary: 'Show what is running',
  examples: [
    ['status', 'Show the state of Kennel'],
    ['status --json', 'Print it as JSON'],
    ["status --json | jq '.agents.needsYou'", 'Print how many agents need you'],
  ],
  run: runStatusCommand,
});

export const openCommand = defineCommand({
  verb: '',
  summary: 'Print a one-time link to the page',
  examples: [
    ['open', 'Print a link'],
    ['open --json', 'Print it as JSON'],
    ['open | xargs xdg-open', 'Open it in a browser'],
  ],
  run: runOpen,
});

export const unlockCommand = defineCommand({
  verb: '',
  summary: 'Unlock the page and your secrets, or set the first passphrase',
  examples: [
    ['unlock', 'Type the passphrase'],
    ['lock', 'Lock the page again'],
    ['unlock --json', 'Take the passphrase from KENNEL_PASSPHRASE'],
  ],
  run: runUnlock,
});

export const lockCommand = defineCommand({
  verb: '',
  summary: 'Lock the page in every browser; agents keep working',
  examples: [
    ['lock', 'Lock the page'],
    ['unlock', 'Unlock it'],
    ['lock --json', 'Print how many browsers are signed in'],
  ],
  run: runLock,
});

export const signOutCommand = defineCommand({
  verb: '',
  summary: 'End the sessions of all browsers',
  examples: [
    ['sign-out', 'Sign out of all browsers'],
    ['open', 'Print a link to sign in again'],
    ['sign-out --json', 'Print how many were signed in'],
  ],
  run: runSignOut,
});

export const doctorCommand = defineCommand({
  verb: '',
  summary: 'Check this computer and data folder',
  progress: 'Checking',
  examples: [
    ['doctor', 'Check everything'],
    ['doctor --json', 'Print the checks as JSON'],
    ['doctor --json | jq \'.checks[] | select(.status!="ok")\'', 'Print only problems'],
  ],
  run: runDoctor,
});

export const demoRemoveCommand = defineCommand({
  verb: 'remove',
  summary: 'Delete everything the demo made',
  progress: 'Removing the demo',
  examples: [
    ['demo remove', 'Delete the demo after a question'],
    ['demo remove --json', 'Delete it in a script'],
    ['start --demo', 'Make a new demo'],
  ],
  run: runDemoRemove,
});
