import type { Host } from '../../host/host-ports.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import { announceApprovals } from '../announce-approvals.ts';
import { defineCommand } from '../command.ts';
import { copy, shownError } from '../copy.ts';
import { createHostSession, type HostSession } from '../host-call.ts';
import { jsonText } from '../json-text.ts';
import {
  askInTerminal,
  askNewPassphrase,
  askSecret,
  CommandFailure,
  canAsk,
  exitFailed,
  exitOk,
} from '../terminal.ts';
import { printable } from '../visible-text.ts';
import { describeExchange, firstExchange } from './first-exchange.ts';

interface StartFlags {
  readonly json?: boolean;
  readonly demo?: boolean;
  readonly web: boolean;
}

const leaveMs = 500;

type Print = (event: string, text: string, fields?: object) => void;

/** Command by which the watchdog replaces a host that hangs (F21). */
const sameAgain = { command: process.execPath, args: [...process.execArgv, ...process.argv.slice(1)] };

/** Text for people, or one JSON object per line for programs. */
const printer =
  (json: boolean): Print =>
  (event, text, fields = {}) => {
    process.stdout.write(`${json ? jsonText({ event, ...fields }) : printable(text)}\n`);
  };

/** Returns a function that tells whether a signal has requested the stop. */
function stopOnSignals(host: Host, print: Print): () => boolean {
  let asked = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    asked += 1;
    if (asked > 2) process.exit(exitFailed);
    print('stopping', asked === 1 ? copy('cliStart.stopping') : copy('cliStart.stoppingNow'));
    void host.stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return () => asked > 0;
}

async function unlock(session: HostSession, print: Print): Promise<void> {
  if (!canAsk()) {
    print('locked', copy('cliStart.secretsLocked'));
    return;
  }
  for (;;) {
    const passphrase = await askSecret(copy('cliStart.passphrase'));
    if (passphrase === '') return;
    const opened = await session.client.call('host.unlock', { passphrase });
    if (opened.ok) return;
    process.stderr.write(`${shownError(opened.error)}\n`);
  }
}

type Choice = 'demo' | 'connect' | 'later';

const choices: ReadonlyMap<string, Choice> = new Map([
  ['', 'demo'],
  ['1', 'demo'],
  ['2', 'connect'],
  ['3', 'later'],
]);

async function chooseBeginning(flags: StartFlags): Promise<Choice> {
  if (flags.demo === false) return 'later';
  if (flags.demo || !canAsk()) return 'demo';
  process.stdout.write(`\n${copy('cliStart.choose')}\n`);
  for (;;) {
    const choice = choices.get(await askInTerminal(copy('cliStart.yourChoice')));
    if (choice) return choice;
    process.stdout.write(`${copy('cliStart.chooseNumber')}\n`);
  }
}

interface SignUp {
  readonly serverUrl: string;
  readonly inviteCode: string;
  readonly username: string;
}

/** Asks until `isValid`; an empty answer takes `usual`. */
async function ask(question: string, usual: string, isValid: (text: string) => boolean, wrong: string) {
  const prompt = usual === '' ? `${question}: ` : `${question} [${usual}]: `;
  for (;;) {
    const answer = (await askInTerminal(prompt)) || usual;
    if (isValid(answer)) return answer;
    process.stdout.write(`${wrong}\n`);
  }
}

const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** `null` without an invite code. */
async function askSignUp(before: SignUp): Promise<SignUp | null> {
  const serverUrl = await ask(
    copy('cliStart.server'),
    before.serverUrl,
    isAddress,
    copy('cliStart.typeAddress'),
  );
  const inviteCode = await askInTerminal(copy('cliStart.inviteCode'));
  if (inviteCode === '') return null;
  const username = await ask(
    copy('cliStart.userName'),
    before.username,
    (name) => name !== '',
    copy('cliStart.typeName'),
  );
  return { serverUrl, inviteCode, username };
}

async function signUp(session: HostSession, input: SignUp) {
  const signedUp = await session.client.call('setup.signUp', input);
  if (signedUp.ok || signedUp.error.code !== 'insecure_storage') return signedUp;
  const passphrase = await askNewPassphrase(copy('cliStart.newPassphrase'));
  if (passphrase === null) return signedUp;
  await session.call('host.unlock', { passphrase });
  return session.client.call('setup.signUp', input);
}

/** Asks again after a failure, with the same answers to choose. */
async function connectSpace(session: HostSession, print: Print): Promise<void> {
  let input: SignUp | null = { serverUrl: 'https://chat.puffo.ai/relay', inviteCode: '', username: '' };
  for (;;) {
    input = await askSignUp(input);
    if (input === null) {
      print('not_signed_up', copy('cliStart.connectLater'));
      return;
    }
    const signedUp = await signUp(session, input);
    if (signedUp.ok) {
      const { slug } = signedUp.value;
      print('signed_up', copy('cliStart.youAre', { slug }), { slug });
      return;
    }
    const { error } = signedUp;
    print('sign_up_failed', copy('cliTerminal.notSignedUp', { why: shownError(error) }), { error });
  }
}

async function buildDemo(session: HostSession, print: Print): Promise<void> {
  print('demo_building', copy('cliStart.demoBuilding'));
  const demo = await session.call('setup.tryDemo', {});
  print('demo_ready', copy('cliStart.demoReady', { operator: demo.operator }), demo);
  const exchange = await firstExchange(session, demo.channelId);
  if (exchange) print('exchange', describeExchange(exchange), exchange);
  else print('exchange_missing', copy('cliStart.noAnswer'));
}

async function begin(session: HostSession, flags: StartFlags, print: Print): Promise<void> {
  const view = await session.call('host.view', {});
  if (view.state === 'locked') return unlock(session, print);
  if (!view.firstRun) return;
  const choice = await chooseBeginning(flags);
  if (choice === 'demo') await buildDemo(session, print);
  if (choice === 'connect') await connectSpace(session, print);
}

async function report(session: HostSession, host: Host, print: Print): Promise<void> {
  const view = await session.call('host.view', {});
  const { note } = view.vault;
  if (note !== '') print('note', copy('cliTerminal.note', { note }), { note });
  for (const problem of view.problems)
    print('problem', `${copy(`cliStatus.severity_${problem.severity}`)}: ${shownError(problem)}`, problem);
  print('agents', copy('cliStart.agents', { total: view.agents.total }), view.agents);
  const url = host.webLink();
  if (url) print('link', copy('cliStart.link', { url }), { url });
  print('ready', copy('cliStart.ready'));
}

async function open(session: HostSession, flags: StartFlags, host: Host, print: Print): Promise<void> {
  await host.ready;
  await begin(session, flags, print);
  await report(session, host, print);
}

/** The host has stopped; a prompt of an interrupted setup must not keep the process alive. */
function leaveSoon(): void {
  setTimeout(() => process.exit(), leaveMs).unref();
}

/** `kennel start`: the host in the foreground, for machines without a display. */
async function runStart(_args: readonly string[], flags: StartFlags): Promise<number> {
  const print = printer(flags.json === true);
  const home = dataFolder(process.env);
  const { createHost, inProcessConnection, nodePorts } = await import('../in-process.ts');
  const created = await createHost(
    await nodePorts({ home, env: process.env, serveWeb: flags.web, mode: 'full', relaunch: sameAgain }),
  );
  if (!created.ok) throw new CommandFailure(created.error, exitFailed);
  const host = created.value;
  const stopAsked = stopOnSignals(host, print);
  print('started', copy('cliStart.started', { home, pid: process.pid }), { home, pid: process.pid });
  const session = createHostSession(inProcessConnection(host), true);
  const opening = open(session, flags, host, print).then(() =>
    announceApprovals(session.client, ({ text, ...fields }) => print('approval', text, fields)),
  );
  try {
    await Promise.race([opening, host.stopped]);
  } catch (error) {
    const saidNo = error instanceof CommandFailure && error.error.code === 'cancelled';
    if (!stopAsked()) await host.stop(saidNo ? 'Ctrl-C' : 'start failed');
    if (!stopAsked() && !saidNo) {
      leaveSoon();
      throw error;
    }
  }
  // After a stop during setup its errors are not shown.
  opening.catch(() => undefined);
  const reason = await host.stopped;
  print('stopped', copy('cliStart.stopped', { reason }), { reason });
  leaveSoon();
  return exitOk;
}

export const startCommand = defineCommand({
  verb: '',
  progress: 'cliProgress.starting',
  options: [{ flags: '--demo' }, { flags: '--no-demo' }, { flags: '--no-web' }],
  examples: ['start', 'start --demo', 'start --no-demo --no-web --json'],
  run: runStart,
});
