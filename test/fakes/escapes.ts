/**
 * Attempts of a program to leave its wall or container. The host plants secrets and listeners first; an attempt
 * succeeds if it prints the secret, or the word that stands for an effect outside.
 */
import { createSocket } from 'node:dgram';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

export const secret = 'TOP-SECRET-7731';
const escaped = 'ESCAPED-7731';

interface Planted {
  readonly home: string;
  readonly outside: string;
  readonly work: string;
  readonly hostPid: number;
  readonly port: number;
  readonly udpPort: number;
  readonly abstract: string;
}

export interface EscapeGround extends Planted {
  /** Datagrams that reached the host. */
  readonly datagrams: () => number;
  close(): Promise<void>;
}

/** `home`: a data folder with the agents `ada` and `bob`; the workspace of ada is `home/agents/ada/work`. */
export async function plantEscapes(home: string, outside: string): Promise<EscapeGround> {
  const work = join(home, 'agents/ada/work');
  for (const folder of [work, join(home, 'agents/ada/keys'), join(home, 'agents/bob'), outside])
    mkdirSync(folder, { recursive: true });
  const files = ['master.key', 'agents/ada/keys/device.json', 'agents/ada/agent.yml', 'agents/bob/notes'];
  for (const name of files) writeFileSync(join(home, name), secret);
  writeFileSync(join(outside, 'secret.txt'), secret);
  symlinkSync(join(home, 'master.key'), join(work, 'link'));
  symlinkSync('../../../master.key', join(work, 'relative-link'));
  symlinkSync(outside, join(work, 'folder-link'));
  linkSync(join(outside, 'secret.txt'), join(outside, 'second-name.txt'));
  const abstract = `kennel-escape-${process.pid}`;
  const servers: Server[] = [];
  const listen = async (at: string | number): Promise<Server> => {
    const server = createServer((socket) => socket.on('error', () => undefined).end(secret));
    servers.push(server);
    await new Promise<void>((resolve) =>
      typeof at === 'number' ? server.listen(at, '127.0.0.1', resolve) : server.listen(at, resolve),
    );
    return server;
  };
  const tcp = (await listen(0)).address();
  await listen(join(home, 'host.sock'));
  await listen(join(outside, 'agent.sock'));
  await listen(`\0${abstract}`);
  let datagrams = 0;
  const udp = createSocket('udp4', () => {
    datagrams += 1;
  });
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  return {
    home,
    outside,
    work,
    hostPid: process.pid,
    port: typeof tcp === 'object' && tcp !== null ? tcp.port : 0,
    udpPort: udp.address().port,
    abstract,
    datagrams: () => datagrams,
    async close() {
      udp.close();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Attempts that change nothing, so that a test can try them without a wall, too. */
const reading = `
  'key of the data folder': () => read(home + '/master.key'),
  'key of its own agent': () => read(home + '/agents/ada/keys/device.json'),
  'settings of its own agent': () => read(home + '/agents/ada/agent.yml'),
  'notes of another agent': () => read(home + '/agents/bob/notes'),
  'list of the agents': () => fs.readdirSync(home + '/agents').includes('bob') ? escaped : '',
  'file of the operator': () => read(outside + '/secret.txt'),
  'second name of a file': () => read(outside + '/second-name.txt'),
  'way up from the workspace': () => read('../../../master.key'),
  'link out of the workspace': () => read(work + '/link'),
  'relative link out of the workspace': () => read(work + '/relative-link'),
  'linked folder': () => read(work + '/folder-link/secret.txt'),
  'root of the first process': () => read('/proc/1/root' + home + '/master.key'),
  'folder of the first process': () => read('/proc/1/cwd' + home + '/master.key'),
  'root of every process': () => fs.readdirSync('/proc').filter(Number)
    .map((pid) => attempt(() => read('/proc/' + pid + '/root' + home + '/master.key'))).join(''),
  'environment of the host': () => read('/proc/' + hostPid + '/environ') === '' ? '' : escaped,
  'memory of the host': () => fs.openSync('/proc/' + hostPid + '/mem', 'r+') && escaped,
  'open files of the host': () => fs.readdirSync('/proc/' + hostPid + '/fd').length > 0 ? escaped : '',
  'socket of Kennel': () => ask({ path: home + '/host.sock' }),
  'socket of the operator': () => ask({ path: outside + '/agent.sock' }),
  'abstract socket': () => ask({ path: '\\0' + abstract }),
  'names of sockets of the host': () => read('/proc/net/unix').includes(abstract) ? escaped : '',
  'port of the host': () => ask({ port, host: '127.0.0.1' }),
  'port of the host by IPv6': () => ask({ port, host: '::ffff:127.0.0.1' }),
  'port of the host by all addresses': () => ask({ port, host: '0.0.0.0' }),
  'signal to the host': () => { process.kill(hostPid, 0); return read('/proc/' + hostPid + '/cmdline').includes('vitest') ? escaped : ''; },
`;

/** Attempts that only a wall or a container may see. */
const acting = `
  'datagram to the host': () => new Promise((done) => {
    const socket = require('node:dgram').createSocket('udp4');
    socket.on('error', () => done(''));
    socket.send('x', udpPort, '127.0.0.1', () => { socket.close(); done(''); });
  }),
  'metadata address': () => ask({ port: 80, host: '169.254.169.254' }).then((got) => got === null ? '' : escaped),
  'metadata address by IPv6': () => ask({ port: 80, host: 'fd00:ec2::254' }).then((got) => got === null ? '' : escaped),
  'address of the neighbourhood': () => ask({ port: 80, host: '10.0.0.1' }).then((got) => got === null ? '' : escaped),
  'socket of Docker': () => ask({ path: '/var/run/docker.sock' }).then((got) => got === null ? '' : escaped),
  'socket of podman': () => ask({ path: '/run/podman/podman.sock' }).then((got) => got === null ? '' : escaped),
  'bus of the system': () => ask({ path: '/run/dbus/system_bus_socket' }).then((got) => got === null ? '' : escaped),
  'passwords of the computer': () => read('/etc/shadow') === '' ? '' : escaped,
  'memory of the kernel': () => fs.openSync('/proc/kcore', 'r') && fs.readSync(fs.openSync('/proc/kcore', 'r'), Buffer.alloc(8)) > 0 && escaped,
  'log of the kernel': () => fs.openSync('/dev/kmsg', 'r') && escaped,
  'disk of the computer': () => ['sda', 'vda', 'nvme0n1', 'mem'].filter((name) => fs.existsSync('/dev/' + name)).map((name) => fs.openSync('/dev/' + name, 'r')).length > 0 ? escaped : '',
  'settings of the kernel': () => fs.writeFileSync('/proc/sys/kernel/core_pattern', 'core') ?? escaped,
  'commands to the kernel': () => fs.openSync('/proc/sysrq-trigger', 'w') && escaped,
  'agent of the control groups': () => ['/sys/fs/cgroup/release_agent', '/sys/fs/cgroup/memory/release_agent']
    .map((file) => attempt(() => fs.writeFileSync(file, '/bin/true') ?? escaped)).join(''),
  'file beside its folders': () => fs.writeFileSync('/etc/planted', 'x') ?? escaped,
  'program of the system': () => fs.writeFileSync('/usr/bin/planted', 'x') ?? escaped,
  'mount': () => run('mount', ['-t', 'tmpfs', 'none', work]) === 0 ? escaped : '',
  'mount of the disk': () => run('mount', ['--bind', '/proc/1/root', work]) === 0 ? escaped : '',
  'device of its own': () => run('mknod', [work + '/disk', 'b', '8', '0']) === 0 && fs.openSync(work + '/disk', 'r') && escaped,
  'hard link to a key': () => { fs.linkSync(home + '/master.key', work + '/hard'); return read(work + '/hard'); },
  'hard link to a file of the operator': () => { fs.linkSync(outside + '/secret.txt', work + '/hard-2'); return read(work + '/hard-2'); },
  'link made by itself': () => { fs.symlinkSync(outside + '/secret.txt', work + '/own-link'); return read(work + '/own-link'); },
  'link through the open files of a process': () => fs.readdirSync('/proc/1/fd').map((fd) => attempt(() => read('/proc/1/fd/' + fd + '/master.key'))).join(''),
  'program with the rights of its owner': () => { fs.copyFileSync('/bin/sh', work + '/owned'); fs.chmodSync(work + '/owned', 0o4755); return run(work + '/owned', ['-p', '-c', 'cat ' + outside + '/secret.txt']) === 0 ? escaped : ''; },
  'rights of an administrator': () => run('su', ['-c', 'cat ' + outside + '/secret.txt']) === 0 || run('sudo', ['-n', 'cat', outside + '/secret.txt']) === 0 ? escaped : '',
  'namespaces of the host': () => run('nsenter', ['--target', '1', '--mount', 'cat', outside + '/secret.txt']) === 0 ? escaped : '',
  'another root': () => run('chroot', ['/proc/1/root', 'cat', outside + '/secret.txt']) === 0 ? escaped : '',
  'mount in a namespace of its own': () => run('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', 'mount --bind /proc/1/root ' + work + ' && cat ' + work + outside + '/secret.txt']) === 0 ? escaped : '',
  'name of another computer': () => new Promise((done) => require('node:dns').resolve4('example.com', (error) => done(error ? '' : escaped))),
  'name server of the neighbourhood': () => ask({ port: 53, host: '1.1.1.1' }).then((got) => got === null ? '' : escaped),
  'module of the kernel': () => run('modprobe', ['dummy']) === 0 && run('rmmod', ['dummy']) === 0 ? escaped : '',
  'program for events of the kernel': () => fs.writeFileSync('/sys/kernel/uevent_helper', '/bin/true') ?? escaped,
  'folder of the host above the workspace': () => fs.writeFileSync(home + '/agents/planted', 'x') ?? (fs.existsSync('/proc/' + hostPid) ? escaped : ''),
  'network interface of the host': () => Object.keys(require('node:os').networkInterfaces()).some((name) => name !== 'lo') ? escaped : '',
  'debugger on the host': () => run('strace', ['-p', String(hostPid)]) === 0 ? escaped : '',
`;

/** Prints a line of JSON per attempt; `kind`: whether it also tries what changes something. */
export function escapeScript(planted: Planted, kind: 'reading' | 'all'): string {
  const { home, outside, work, hostPid, port, udpPort, abstract } = planted;
  return `
const fs = require('node:fs');
const net = require('node:net');
const { spawnSync } = require('node:child_process');
const { home, outside, work, hostPid, port, udpPort, abstract } = ${JSON.stringify({ home, outside, work, hostPid, port, udpPort, abstract })};
const escaped = ${JSON.stringify(escaped)};
const read = (file) => fs.readFileSync(file, 'latin1');
const attempt = (act) => { try { return act(); } catch { return ''; } };
const run = (program, args) => spawnSync(program, args, { stdio: 'ignore', timeout: 3000 }).status;
// Null unless it connects.
const ask = (where) => new Promise((done) => {
  let got = null;
  const socket = net.connect({ ...where });
  socket.setTimeout(1500, () => { socket.destroy(); done(got); });
  socket.on('connect', () => { got = ''; }).on('data', (piece) => { got += piece; });
  socket.on('error', () => done(got)).on('close', () => done(got));
});
const attempts = {${reading}${kind === 'all' ? acting : ''}};
(async () => {
  for (const [name, act] of Object.entries(attempts)) {
    let got = '';
    try { got = await act(); } catch (error) { got = ''; }
    console.log(JSON.stringify({ name, got: String(got ?? '') }));
  }
})();
`;
}

/** Names of the attempts in the output of the script, and of those that succeeded. */
export function escapesIn(output: string): { readonly tried: number; readonly succeeded: readonly string[] } {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  const all = lines.map((line) => JSON.parse(line) as { name: string; got: string });
  const succeeded = all.filter(({ got }) => got.includes(secret) || got.includes(escaped));
  return { tried: all.length, succeeded: succeeded.map(({ name }) => name) };
}
