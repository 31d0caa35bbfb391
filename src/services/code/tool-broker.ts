/**
 * The broker of one run: programs connect to its Unix socket, send the token of the run as the first line, and then one
 * call per line. Each call goes to `call`, which decides it at the approval gate. A wrong token, a line that is too long
 * or no JSON ends the connection. Everything that a program sends is untrusted.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { once } from '../../contract/once.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { brokerEnv } from '../../core/ptc/binding-runtimes.ts';
import type { BrokerRequest, OpenBroker, ToolBroker } from '../../core/ptc/code-ports.ts';
import { openOwnerSocket } from '../../platform/owner-socket.ts';
import { isSameSecret } from '../../platform/same-secret.ts';

const mostConnections = 64;
/** Calls of one connection that wait for an answer. */
const mostWaiting = 200;
const longestLine = 8 * 1024 * 1024;

const helloSchema = once(() => z.object({ token: z.string().max(200) }));
const callSchema = once(() =>
  z.object({
    id: z.number().int().optional(),
    tool: z.string().max(1_000),
    args: z.record(z.string(), z.unknown()).default({}),
  }),
);

function parseLine<T>(schema: z.ZodType<T>, line: string): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Tells complete lines; a longer line than allowed ends the connection. */
function readLines(socket: Socket, onLine: (line: string) => void): void {
  let pieces: string[] = [];
  let length = 0;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      pieces.push(line);
      length += line.length;
      if (length > longestLine) {
        socket.destroy();
        return;
      }
      if (at === lines.length - 1) return;
      const whole = pieces.join('');
      pieces = [];
      length = 0;
      onLine(whole);
    }
  });
}

function serve(socket: Socket, token: string, { call }: Pick<BrokerRequest, 'call'>): void {
  const gone = new AbortController();
  let isKnown = false;
  let waiting = 0;
  socket.on('close', () => gone.abort());
  const answer = (line: object): void => {
    if (!socket.destroyed) socket.write(`${JSON.stringify(line)}\n`);
  };
  readLines(socket, (line) => {
    if (socket.destroyed) return;
    if (!isKnown) {
      const hello = parseLine(helloSchema(), line);
      isKnown = hello !== null && isSameSecret(hello.token, token);
      if (!isKnown) socket.destroy();
      return;
    }
    const wanted = parseLine(callSchema(), line);
    if (wanted === null || waiting >= mostWaiting) {
      socket.destroy();
      return;
    }
    const { id, tool, args } = wanted;
    waiting += 1;
    void call(tool, args, gone.signal).then((end) => {
      waiting -= 1;
      answer(id === undefined ? end : { id, ...end });
    });
  });
}

function writeFiles(folder: string, files: BrokerRequest['files']): void {
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
  }
}

async function openBroker(request: BrokerRequest): Promise<Result<OpenBroker>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-run-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const failed = (error: unknown): Result<OpenBroker> => {
    remove();
    return err(fail('io_error', 'tools.brokerNotOpened', { reason: errorText(error) }));
  };
  try {
    writeFiles(folder, request.files);
  } catch (error) {
    return failed(error);
  }
  const path = join(folder, 'socket');
  const token = randomBytes(32).toString('hex');
  const opened = await openOwnerSocket({
    path,
    maxConnections: mostConnections,
    onConnection: (socket) => serve(socket, token, request),
    endClient: (socket) => socket.destroy(),
  });
  if (!opened.ok) return failed(opened.error);
  const close = async (): Promise<void> => {
    await opened.close();
    remove();
  };
  return ok({ folder, env: { [brokerEnv.socket]: path, [brokerEnv.token]: token }, close });
}

export const createToolBroker = (): ToolBroker => ({ open: openBroker });
