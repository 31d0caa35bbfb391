import type { Command } from 'commander';
import { act } from './act.ts';

// Commands about identity, devices, keys and contacts: `operator`, `peers`, `contacts`.

const operatorModule = async () => import('./commands/operator.ts');

export function addOperatorCommands(program: Command, exit: { code: number }): void {
  const operator = program.command('operator').description('your own identity');
  const signUp = operator.command('sign-up').description('join a Puffo server with an invite code');
  signUp
    .requiredOption('--server <url>', 'address of the server')
    .requiredOption('--invite <code>', 'invite code; "-" reads standard input')
    .requiredOption('--username <name>', 'the name your handle is made from')
    .option('--display-name <name>', 'the name people see');
  act(signUp, exit, async () => (await operatorModule()).runSignUp);
  const resume = operator.command('resume').description('go on with a sign-up that was interrupted');
  resume.option('--drop', 'give it up and delete its keys');
  act(resume, exit, async () => (await operatorModule()).runResume);
  act(
    operator.command('show').description('who you are'),
    exit,
    async () => (await operatorModule()).runShow,
  );
  const enrol = operator
    .command('enrol')
    .alias('enroll')
    .description('make this Kennel a further device of an account you have');
  enrol
    .requiredOption('--server <url>', 'address of the server')
    .option('--yes', 'do not ask who it became a device of');
  act(enrol, exit, async () => (await operatorModule()).runEnrol);
  const approve = operator
    .command('approve <code>')
    .description('let a new device into your account, with the code it shows');
  approve.option('--yes', 'the words are the same: do not ask');
  act(approve, exit, async () => (await operatorModule()).runApprove);
  act(
    operator.command('devices').description('the devices of your account'),
    exit,
    async () => (await operatorModule()).runDevices,
  );
  const revoke = operator.command('revoke <device>').description('revoke a device of your account');
  revoke.option('--yes', 'do not ask');
  act(revoke, exit, async () => (await operatorModule()).runRevoke);
}

const peersModule = async () => import('./commands/peers.ts');

export function addPeerCommands(program: Command, exit: { code: number }): void {
  const peers = program.command('peers').description('other people: whose key changed, who may write to you');
  act(
    peers.command('list').description('who is held back, waits, is allowed or blocked'),
    exit,
    async () => (await peersModule()).runPeers,
  );
  const accept = peers
    .command('accept <slug>')
    .description('take the changed identity key of somebody for theirs, for good');
  accept
    .option('--fingerprint <digits>', 'the whole fingerprint that is offered')
    .option('--yes', 'the fingerprint that is shown was compared: do not ask');
  act(accept, exit, async () => (await peersModule()).runAccept);
  act(
    peers.command('allow <slug>').description('let somebody write to you'),
    exit,
    async () => (await peersModule()).runAllow,
  );
  act(
    peers.command('block <slug>').description('let somebody write to you no more'),
    exit,
    async () => (await peersModule()).runBlock,
  );
  act(
    peers.command('forget <slug>').description('take back that somebody is allowed or blocked'),
    exit,
    async () => (await peersModule()).runForget,
  );
  act(
    peers.command('hold <on|off>').description('whether strangers wait for your yes before they can write'),
    exit,
    async () => (await peersModule()).runHold,
  );
}

const contactsModule = async () => import('./commands/contacts.ts');

export function addContactCommands(program: Command, exit: { code: number }): void {
  const contacts = program.command('contacts').description('people who write to your agents');
  act(
    contacts.command('list').description('who waits for your decision, who is accepted or blocked'),
    exit,
    async () => (await contactsModule()).runContacts,
  );
  const server = ['--server <url>', 'needed if several servers have a person of this handle'] as const;
  act(
    contacts
      .command('accept <slug>')
      .description('let your agents answer this person')
      .option(...server),
    exit,
    async () => (await contactsModule()).runAcceptContact,
  );
  act(
    contacts
      .command('block <slug>')
      .description('let no agent answer this person')
      .option(...server),
    exit,
    async () => (await contactsModule()).runBlockContact,
  );
  act(
    contacts
      .command('forget <slug>')
      .description('take your decision back: the next message asks again')
      .option(...server),
    exit,
    async () => (await contactsModule()).runForgetContact,
  );
}
