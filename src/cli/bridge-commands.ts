import type { Command } from 'commander';
import { act, type Exit } from './act.ts';

/**
 * Commands for other programs: pairing of a web client that manages agents here, and tools that read
 * messages.
 */
export function addBridgeCommands(program: Command, exit: Exit): void {
  const load = async () => import('./commands/bridge.ts');
  const pairing = program.command('pairing').description('the device that may manage agents from a web page');
  act(
    pairing.command('show').description('which device is paired'),
    exit,
    async () => (await load()).runPairingShow,
  );
  const open = pairing.command('open').description('let one device pair, within five minutes');
  open.option('--device <id>', 'only this device; for clients that cannot send the code');
  act(open, exit, async () => (await load()).runPairingOpen);
  act(
    pairing.command('unpair').description('take the pairing back'),
    exit,
    async () => (await load()).runPairingUnpair,
  );
  const api = program.command('api').description('the local bridge and the data service');
  act(
    api.command('status').description('where it listens, and for whom'),
    exit,
    async () => (await load()).runApiStatus,
  );
  const data = api.command('data <agent>').description("how a tool of this agent reads the agent's messages");
  data.option('--tcp', 'on a port of this machine instead of a Unix socket');
  act(data, exit, async () => (await load()).runApiData);
  const mcp = program
    .command('mcp')
    .description('the team chat as one agent, for another program, by MCP on standard input and output');
  mcp.requiredOption('--agent <id>', 'who the program works as');
  mcp.option('--http', 'instead print an address of this machine and a token for streamable HTTP');
  act(mcp, exit, async () => (await import('./commands/mcp.ts')).runMcp);
}
