import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openOwnerSocket } from './owner-socket.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it('T4: An owner socket replaces a stale file, is private to the owner and ends its clients on close', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-owner-'));
  folders.push(folder);
  const path = join(folder, 'socket');
  writeFileSync(path, 'stale');
  const opened = await openOwnerSocket({
    path,
    maxConnections: 4,
    onConnection: (client) => client.write('hello'),
    endClient: (client) => client.destroy(),
  });
  if (!opened.ok) throw opened.error;
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const client = connect(path);
  const [greeting] = await once(client, 'data');
  expect(String(greeting)).toBe('hello');
  const gone = once(client, 'close');
  await opened.close();
  await gone;
});

it('An owner socket reports a path that cannot be used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-owner-'));
  folders.push(folder);
  const path = join(folder, 'missing', 'socket');
  const opened = await openOwnerSocket({
    path,
    maxConnections: 4,
    onConnection: () => undefined,
    endClient: () => undefined,
  });
  expect(opened).toMatchObject({ ok: false });
});
