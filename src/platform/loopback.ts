/** True for an address of this machine itself: 127.0.0.0/8 and ::1, also in the IPv4-mapped form. */
export function isLoopbackAddress(address: string): boolean {
  return /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address) || address === '::1';
}

/** True for a host name or address, without its port, that always means this machine. IPv6 with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}
