import ipaddr from 'ipaddr.js';

/** Whether every address of `inner` lies in `outer`; an empty list means any address. */
export function areCidrsWithin(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  if (inner.length === 0) return false;
  return inner.every((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return outer.some((wider) => {
      const [widerNetwork, widerBits] = ipaddr.parseCIDR(wider);
      return (
        network.kind() === widerNetwork.kind() &&
        widerBits <= bits &&
        network.match(widerNetwork, widerBits)
      );
    });
  });
}
