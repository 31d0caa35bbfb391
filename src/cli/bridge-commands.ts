import type { Command } from 'commander';
import { act, type Exit } from './act.ts';

/** The local bridge: which device of a web client may manage agents here. */
export function addBridgeCommands(program: Command, exit: Exit): void {
  const load = async () => import('./commands/bridge.ts');
  const pairing = program.command('pairing').description('the device that may manage agents from a web page');
  act(
    pairing.command('show').description('which device is paired'),
    exit,
    async () => (await load()).runPairingShow,
  );
  const open = pairing.command('open').description('let one device pair, within five minutes');
  open.option('--require-code', 'only a device that sends the code shown here');
  act(open, exit, async () => (await load()).runPairingOpen);
  act(
    pairing.command('unpair').description('take the pairing back'),
    exit,
    async () => (await load()).runPairingUnpair,
  );
  const api = program.command('api').description('the local bridge');
  act(
    api.command('status').description('where it listens, and for whom'),
    exit,
    async () => (await load()).runApiStatus,
  );
}
