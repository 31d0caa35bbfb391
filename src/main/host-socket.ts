/** Finds and opens the socket of the host that holds a data folder. */
import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { maxFrameBytes } from '../contract/frames.ts';
import { createLineSplitter } from '../host/transport/line-splitter.ts';
import type { OpenLine } from './remote-host.ts';

const holderSchema = z.object({ pid: z.number().int(), socket: z.string().min(1).max(1000) });

function holderOf(home: string): z.infer<typeof holderSchema> | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8')));
  } catch {
    return null;
  }
}

/** The socket must belong to the same user, because calls over it carry the operator's rights. */
function isOurs(socket: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    const found = statSync(socket);
    return found.isSocket() && found.uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** Reads host.json on each call, because a restarted host is another process. */
export const hostSocket =
  (home: string): OpenLine =>
  (ends) => {
    const holder = holderOf(home);
    if (holder === null || !isOurs(holder.socket)) return Promise.resolve(null);
    return new Promise((resolve) => {
      const socket = connect(holder.socket);
      const splitter = createLineSplitter(maxFrameBytes);
      socket.once('error', () => resolve(null));
      socket.on('error', () => undefined);
      socket.once('connect', () => {
        socket.on('close', () => ends.onClose());
        resolve({
          pid: holder.pid,
          send: (text) => void socket.write(`${text}\n`),
          close: () => void socket.destroy(),
        });
      });
      socket.on('data', (chunk: Buffer) => {
        const lines = splitter.push(chunk);
        if (lines === null) socket.destroy();
        for (const line of lines ?? []) ends.onText(line);
      });
    });
  };
