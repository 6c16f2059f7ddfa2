import { BlockList, isIP } from 'node:net';

/** True for an address of this machine itself: 127.0.0.0/8 and ::1, also in the IPv4-mapped form. */
export function isLoopbackAddress(address: string): boolean {
  return /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address) || address === '::1';
}

/** Returns a host in small letters, without the brackets of IPv6 and without the dot that may end a whole name. */
const nameOf = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/** True for a host name or address, without its port, that always means this machine. IPv6 with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = nameOf(host);
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

/** Addresses that no router of the internet forwards: of this machine, of private networks, of examples and tests, of groups (RFC 6890 and its registry). */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, prefix);
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6');

/** Names that the internet's DNS never has (RFC 2606, 6761, 7686, 8375), and those that private networks use. */
const PRIVATE_NAMES = /\.(local|localdomain|lan|home|corp|internal|intranet|home\.arpa|test|example|invalid|onion)$/;

/** True for a host, without its port, that means this machine or something of its own network: nobody on the internet reaches it. */
export function isPrivateHost(host: string): boolean {
  const name = nameOf(host);
  const family = isIP(name);
  if (family !== 0) return PRIVATE.check(name, family === 4 ? 'ipv4' : 'ipv6');
  return isLoopbackHost(name) || !name.includes('.') || PRIVATE_NAMES.test(name);
}
