import { connect, type Socket } from 'node:net';
import { cliMessage } from '../../language/cli-message.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { flatLines } from '../table.ts';
import { commandFailure, exitOk, show, usageError } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
  readonly http?: boolean;
  readonly agent?: string;
}

const lost = commandFailure('unavailable', 'cliMcp.lost', {}, { help: 'cliMcp.startBoth' });

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('error', () => reject(lost));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/** Copies bytes in both directions until one side ends. The host speaks MCP; this process never has a key. */
async function pipe(path: string, token: string): Promise<number> {
  const socket = await open(path);
  const { stdin, stdout } = process;
  socket.write(`${token}\n`);
  let finished = false;
  const over = new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', resolve);
    // The program closed its end.
    stdout.once('error', () => socket.destroy());
    stdin.once('end', () => {
      finished = true;
    });
  });
  stdin.pipe(socket);
  socket.pipe(stdout, { end: false });
  await over;
  stdin.unpipe(socket);
  stdin.pause();
  if (!finished) throw lost;
  return exitOk;
}

async function runMcp(_args: readonly string[], { agent, http, json }: Flags): Promise<number> {
  if (agent === undefined) throw usageError(cliMessage('cliMcp.needsAgent'));
  // The owner's connection ends here; afterwards only the agent's token is used.
  const way = await withHost('running-host', ({ call }) =>
    call('agents.mcpAccess', { agent, http: http === true }),
  );
  if (http !== true) return pipe(way.socket, way.token);
  const text = [
    ...flatLines([
      [copy('cliBridge.address'), way.url],
      [copy('cliBridge.token'), way.token],
    ]),
    '',
    copy('cliMcp.good'),
  ];
  show(json === true, { url: way.url, token: way.token }, text.join('\n'));
  return exitOk;
}

export const mcpCommand = defineCommand({
  verb: '',
  options: [{ flags: '--agent <agent>' }, { flags: '--http' }],
  examples: ['mcp --agent guide', 'mcp --agent guide --http', 'mcp --agent guide --http --json'],
  run: runMcp,
});
