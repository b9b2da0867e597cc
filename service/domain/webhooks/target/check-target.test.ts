import { describe, expect, test } from 'vitest';
import { checkTarget } from './check-target.ts';

const listener = { host: '0.0.0.0', port: 3000 };
const strict = { allowHttp: false, allowedCidrs: [], listener };
const local = { allowHttp: true, allowedCidrs: ['127.0.0.0/8', '10.0.0.0/8'], listener };
const open = { allowHttp: true, allowedCidrs: ['0.0.0.0/0', '::/0'], listener };

describe('a webhook address is accepted', () => {
  test.each([
    ['https://example.com/hooks', 'https://example.com/hooks'],
    ['https://EXAMPLE.com', 'https://example.com/'],
    ['https://example.com:8443/a?b=c', 'https://example.com:8443/a?b=c'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://example.com./a', 'https://example.com./a'],
    ['https://example.com/#', 'https://example.com/'],
    ['https://my_hooks.example.com/', 'https://my_hooks.example.com/'],
    ['https://93.184.216.34/', 'https://93.184.216.34/'],
    [
      'https://[2606:2800:220:1:248:1893:25c8:1946]/',
      'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    ],
    ['https://example.com:444/', 'https://example.com:444/'],
    ['https://example.com:943/', 'https://example.com:943/'],
    // NAT64: where a server without IPv4 finds 93.184.216.34.
    ['https://[64:ff9b::5db8:d822]/', 'https://[64:ff9b::5db8:d822]/'],
  ])('%s', (text, url) => expect(checkTarget(text, strict)).toEqual({ url }));

  test('over http and to private networks where the operator allows it', () => {
    expect(checkTarget('http://127.0.0.1:4000/hook', local).url).toBe('http://127.0.0.1:4000/hook');
    expect(checkTarget('http://localhost:4000/', local).url).toBe('http://localhost:4000/');
    expect(checkTarget('http://10.1.2.3/', local).url).toBe('http://10.1.2.3/');
  });
});

describe('an IPv6 address that stands for an IPv4 address', () => {
  const allowing = (...allowedCidrs: string[]) => ({ ...strict, allowedCidrs });
  const isAccepted = (address: string, ...allowedCidrs: string[]) =>
    checkTarget(`https://[${address}]/`, allowing(...allowedCidrs)).problem === undefined;

  test('by NAT64 is judged as that IPv4 address, even if the prefix is allowed', () => {
    expect(isAccepted('64:ff9b::10.0.0.8', '64:ff9b::/96', '::/0')).toBe(false);
    expect(isAccepted('64:ff9b::10.0.0.8', '10.0.0.0/8')).toBe(true);
  });

  test('by a NAT64 prefix of a network of its own is accepted only if it is allowed', () => {
    expect(isAccepted('64:ff9b:1::93.184.216.34')).toBe(false);
    expect(isAccepted('64:ff9b:1::93.184.216.34', '64:ff9b:1::/48')).toBe(true);
  });

  test.each(['2002:5db8:d822::1', '2001:0:5db8:d822:0:fbff:a247:27dd'])(
    'by a tunnel is always refused: %s',
    (address) => expect(isAccepted(address, '::/0', '2000::/3')).toBe(false),
  );
});

describe('a webhook address is refused', () => {
  test.each([
    ['no URL', 'example.com/hooks'],
    ['http', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['a user name', 'https://user@example.com/'],
    ['a password', 'https://user:pass@example.com/'],
    ['a fragment', 'https://example.com/#x'],
    ['port 0', 'https://example.com:0/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback, decimal', 'https://2130706433/'],
    ['loopback, octal', 'https://0177.0.0.1/'],
    ['loopback, hexadecimal', 'https://0x7f000001/'],
    ['loopback, shortened', 'https://127.1/'],
    ['loopback, IPv6', 'https://[::1]/'],
    ['loopback, mapped into IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['loopback, mapped in hexadecimal', 'https://[::ffff:7f00:1]/'],
    ['localhost', 'https://localhost/'],
    ['localhost with a dot', 'https://localhost./'],
    ['a name under localhost', 'https://a.localhost/'],
    ['a private network', 'https://10.0.0.8/'],
    ['another private network', 'https://172.16.5.4/'],
    ['a third private network', 'https://192.168.1.1/'],
    ['shared address space', 'https://100.64.0.1/'],
    ['link-local', 'https://169.254.1.1/'],
    ['cloud metadata', 'https://169.254.169.254/latest/meta-data'],
    ['the metadata name', 'https://metadata.google.internal/'],
    ['no address', 'https://0.0.0.0/'],
    ['multicast', 'https://224.0.0.1/'],
    ['unique local IPv6', 'https://[fd00::1]/'],
    ['link-local IPv6', 'https://[fe80::1]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['NAT64 of a network of its own', 'https://[64:ff9b:1::7f00:1]/'],
    ['6to4 of loopback', 'https://[2002:7f00:1::]/'],
    ['loopback, compatible with IPv6', 'https://[::7f00:1]/'],
    ['loopback, translated to IPv6', 'https://[::ffff:0:7f00:1]/'],
    ['IPv6 that nobody was given', 'https://[4000::1]/'],
    ['a bare name', 'https://intranet/'],
    ['too long', `https://example.com/${'a'.repeat(2048)}`],
  ])('%s', (_what, text) => {
    const { problem } = checkTarget(text, strict);
    expect(problem).toMatch(/[.]$|https:\/\/$/);
  });

  test.each([
    ['a port above 65535', 'https://example.com:99999', /^Use a port from 1 to 65535/],
    ['port 0', 'https://example.com:0', /^Use a port from 1 to 65535/],
    ['a port that is no number', 'https://example.com:abc/x', /^Use a port from 1 to 65535/],
    ['a shortened IP address', 'https://93.184.34', /four numbers from 0 to 255/],
    ['a part of an IP address above 255', 'https://93.184.216.256', /four numbers from 0 to 255/],
    ['an IP address of five parts', 'https://93.184.216.34.5', /four numbers from 0 to 255/],
    ['an IPv6 address without its bracket', 'https://[2001:db8::1', /IPv6 address in brackets/],
    ['an IPv6 address without brackets', 'https://2001:db8::1/x', /IPv6 address in brackets/],
    ['IPv4 in brackets', 'https://[93.184.216.34]', /IPv6 address in brackets/],
    ['an empty part of the host name', 'https://a..example', /host name is not valid/],
    ['a dot before the host name', 'https://.a.example', /host name is not valid/],
    ['two dots after the host name', 'https://a.example..', /host name is not valid/],
    ['a space in the host name', 'https://a b.example', /host name is not valid/],
    ['a wildcard', 'https://*.example.com', /host name is not valid/],
    ['two URLs', 'https://a.example,https://b.example', /host name is not valid/],
    ['a part of 64 characters', `https://${'a'.repeat(64)}.example`, /host name is not valid/],
    ['254 characters', `https://${'a.'.repeat(125)}test`, /host name is not valid/],
    ['no scheme', 'example.com/x', /^Write a full URL/],
    ['no host', 'https://', /^Write a full URL/],
    ['no host, but a user', 'https://user@:80/', /^Write a full URL/],
    ['text that encoding lengthens', `https://a.example/${'ü'.repeat(400)}`, /The URL has 2418/],
  ])('with what is wrong: %s', (_what, text, problem) => {
    expect(checkTarget(text, strict).problem).toMatch(problem);
  });

  test.each([22, 25, 465, 993, 6667])('at port %i, which belongs to another service', (port) => {
    expect(checkTarget(`https://example.com:${port}/`, strict).problem).toBe(
      `Port ${port} belongs to a service other than HTTP. Use another port, such as 443.`,
    );
  });

  test.each(
    `169.254.169.254 100.100.100.200 168.63.129.16 [fd00:ec2::254] [::ffff:169.254.169.254]
     [64:ff9b::169.254.169.254] [64:ff9b:1::169.254.169.254] [64:ff9b:1:a9fe:a9:fe00::]
     [64:ff9b:1:12a9:fe:a9fe::] [64:ff9b:1:1234:a9:fea9:fe00:0] [2002:a9fe:a9fe::]
     [::169.254.169.254]`.split(/\s+/),
  )('cloud metadata at %s even where every network is allowed', (host) => {
    expect(checkTarget(`https://${host}/`, open).problem).toBe(
      'This address cannot receive webhooks.',
    );
  });

  test.each([
    'http://127.0.0.1:3000/',
    'http://127.9.9.9:3000/',
    'http://localhost:3000/',
    'http://2130706433:3000/',
    'http://0.0.0.0:3000/',
    'http://[::1]:3000/',
    'http://[::]:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
    'http://[64:ff9b::127.0.0.1]:3000/',
  ])('this service itself at %s even where every network is allowed', (text) => {
    expect(checkTarget(text, open).problem).toMatch(/:3000 is this service itself\. /);
    expect(checkTarget(text.replace('3000', '3001'), open).problem).toBeUndefined();
  });

  test('this service itself where its network is not allowed, without saying that it is', () => {
    const { problem } = checkTarget('https://127.0.0.1:3000/', strict);
    expect(problem).toMatch(/^127\.0\.0\.1 is not a public address/);
    expect(checkTarget('https://127.0.0.1:3001/', strict).problem).toBe(problem);
  });
});
