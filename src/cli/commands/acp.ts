import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { dataFolder } from '../../platform/data-folder.ts';
import { AcpAgent } from '../acp/acp-agent.ts';
import { defineCommand } from '../command.ts';
import { hostIsNotRunning } from '../host-call.ts';
import { connectHost } from '../host-client.ts';
import { exitOk } from '../terminal.ts';
import { printable } from '../visible-text.ts';

interface Flags {
  readonly agent: string;
}

async function runAcp(_args: readonly string[], { agent: wanted }: Flags, version: string): Promise<number> {
  const home = dataFolder(process.env);
  const agent = new AcpAgent({
    wanted,
    version,
    connect: () => connectHost(home),
    notRunning: () => hostIsNotRunning(home),
    // Standard output carries only the protocol.
    log: (text) => void process.stderr.write(`kennel: ${printable(text)}\n`),
  });
  const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = agent.app().connect(ndJsonStream(output, input));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => connection.close());
  await connection.closed;
  await agent.end();
  // Standard input of an editor that did not close it would keep this process alive.
  process.stdin.destroy();
  return exitOk;
}

export const acpCommand = defineCommand({
  verb: '',
  options: [{ flags: '--agent <agent>', isRequired: true }],
  examples: ['acp --agent guide', 'agent tools guide', 'chat conversations guide'],
  run: runAcp,
});
