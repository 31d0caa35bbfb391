/** Tells public addresses of the internet from those of this computer and its networks. */
import { BlockList } from 'node:net';

/** Networks of this computer, its neighbours and its cloud. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6');

/** False for addresses of private networks, also in their IPv6 forms. */
export const isPublicAddress = (address: string): boolean => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  return !privateNetworks.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopbackAddress(address: string): boolean {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  return loopback.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4');
}
