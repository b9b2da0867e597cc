import ipaddr from 'ipaddr.js';
import { isInNetworks } from '../../networks.ts';

export type TargetRules = {
  /** Lets plain http through, for receivers inside a trusted network. */
  allowHttp: boolean;
  /** Networks that may be called although they are not public. */
  allowedCidrs: readonly string[];
};

/** Cloud metadata services. They hand out credentials, so no setting opens them. */
const metadataAddresses = new Set(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200']);
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog']);

/**
 * Checks a webhook's address as it is saved; names are not resolved here.
 * The URL parser turns every spelling of a literal address (decimal, octal, hexadecimal, shortened,
 * IPv4 in IPv6) into the one that is checked.
 *
 * @returns the address to store, or a sentence saying what to do
 */
export function checkTarget(
  text: string,
  rules: TargetRules,
): { url: string; problem?: never } | { url?: never; problem: string } {
  if (!URL.canParse(text)) {
    return { problem: 'Write a full address, as https://example.com/webhooks.' };
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    return { problem: 'The address must begin with https://' };
  }
  if (url.username || url.password) {
    return { problem: 'Leave user name and password out of the address.' };
  }
  if (!isUsualPort(url.port)) {
    return { problem: 'Use port 443, 80, or one from 1024 to 65535.' };
  }
  if (url.hash) return { problem: 'Leave out the part after #; servers never see it.' };
  if (url.href.length > 2048) return { problem: 'Use at most 2048 characters.' };
  return hostProblem(url.hostname, rules) ?? { url: url.href };
}

/** Whether deliveries may go to this address, literal or looked up. */
function isAddressReachable(address: string, rules: TargetRules): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (metadataAddresses.has(parsed.toString())) return false;
  if (parsed.range() === 'unicast') return true;
  return isInNetworks(address, rules.allowedCidrs);
}

function hostProblem(hostname: string, rules: TargetRules): { problem: string } | null {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (metadataNames.has(host)) return { problem: 'This address cannot receive webhooks.' };
  if (ipaddr.isValid(host)) {
    return isAddressReachable(host, rules)
      ? null
      : { problem: `${host} is not a public address, so it cannot be reached from here.` };
  }
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return isAddressReachable('127.0.0.1', rules)
      ? null
      : { problem: `${host} is this service's own machine. Use a public name.` };
  }
  if (!host.includes('.') && rules.allowedCidrs.length === 0) {
    return { problem: `"${host}" is not a public name. Write it in full, as hooks.example.com.` };
  }
  return null;
}

function isUsualPort(port: string): boolean {
  return port === '' || port === '443' || port === '80' || Number(port) >= 1024;
}
