import { expect, onTestFinished, test, vi } from 'vitest';
import { SoftwareAuthenticator } from '../../../../testing/software-authenticator.ts';
import { verifyNewPasskey } from './webauthn.ts';

const relyingParty = { origin: 'https://service.example', host: 'service.example' };

/**
 * A response with a valid, unrequested attestation of the format `android-key`. Its certificate
 * names `http://169.254.169.254/` as the address of its revocation list.
 */
const attestedId = 'iYBUHd4nx5h8UvtpNCCYvA';
const attestedObject = [
  'o2NmbXRrYW5kcm9pZC1rZXlnYXR0U3RtdKNjYWxnJmNzaWdYRjBEAiAJ9luAABhSdFKgMmK9lFPsyDoiNdeS5ws8Lq',
  '6JmhsXAgIgPq0MCo2WJMj89emVm9GV49qJBaHtNRc9EggCPlnobeVjeDVjglkBfzCCAXswggEhoAMCAQICAQIwCgYI',
  'KoZIzj0EAwIwDDEKMAgGA1UEAxMBUjAgFw0yMDAxMDEwMDAwMDBaGA8yMTAwMDEwMTAwMDAwMFowDDEKMAgGA1UEAx',
  'MBTDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLnE9diWPf9r0oB1pui0-xcBeEMRHSmwy0hbMQ0RvA3N3NCGnwoe',
  '0fhwqL2dF9pQC9Do_Pwe0pTb5YEywIsSY52jcjBwMEQGCisGAQQB1nkCAREENjA0AgEDCgEAAgEDCgEABCC_q3Pmug',
  'vRV-pdsNAQ25-yOABp1U2YaTk-tSVPcFA6lQQAMAAwADAoBgNVHR8EITAfMB2gG6AZhhdodHRwOi8vMTY5LjI1NC4x',
  'NjkuMjU0LzAKBggqhkjOPQQDAgNIADBFAiArrsld1UdFk914rrA2WIoqSqHbbU4sovIt7EaDOmXmygIhAKfPDTLqZh',
  'YfgGek_JjUE0D_O3tKjH5r2bhObhwpOiRzWQENMIIBCTCBsaADAgECAgEBMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMT',
  'AVIwIBcNMjAwMTAxMDAwMDAwWhgPMjEwMDAxMDEwMDAwMDBaMAwxCjAIBgNVBAMTAVIwWTATBgcqhkjOPQIBBggqhk',
  'jOPQMBBwNCAAT6oSM3ge3G6CnLdEySBVNSAUQyJsvS2TYNxLxo8Wb9leSRrJ6rSXGa30ncjzkV5BUiFPMnGcK_tfCm',
  '3LulywpKowIwADAKBggqhkjOPQQDAgNHADBEAiAunWtQzIceLwOM4mkuVn4HNga3eGi_ZakLjxlktRckYQIgDmXIoz',
  'Kw3SgTU8M1UW7D-aATP0iwHXn3EfJG8cqin0FoYXV0aERhdGFYlLcUspsIKEmIln1qG3knSHmviMN-pRSG1oFl1HMD',
  'IJAeRQAAAAAAAAAAAAAAAAAAAAAAAAAAABCJgFQd3ifHmHxS-2k0IJi8pQECAyYgASFYILnE9diWPf9r0oB1pui0-x',
  'cBeEMRHSmwy0hbMQ0RvA3NIlgg3NCGnwoe0fhwqL2dF9pQC9Do_Pwe0pTb5YEywIsSY50',
].join('');

test('a new passkey is accepted without requesting the addresses in its certificates', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no calls'));
  onTestFinished(() => fetch.mockRestore());
  const verified = await verifyNewPasskey(relyingParty, {
    id: attestedId,
    rawId: attestedId,
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(
        JSON.stringify({
          type: 'webauthn.create',
          challenge: 'AAAA',
          origin: relyingParty.origin,
          crossOrigin: false,
        }),
      ).toString('base64url'),
      attestationObject: attestedObject,
    },
  });
  expect(fetch).not.toHaveBeenCalled();
  expect(verified?.passkey.credentialId).toBe(attestedId);
});

test.each(['packed', 'android-safetynet', 'fido-u2f', 'tpm', 'apple', 'of-tomorrow'])(
  'a new passkey is accepted no matter what its attestation of the format %s says',
  async (format) => {
    const authenticator = new SoftwareAuthenticator();
    authenticator.attestationFormat = format;
    const options = { rp: { id: relyingParty.host }, challenge: 'AAAA' };
    const given = authenticator.create({ options, origin: relyingParty.origin });
    const verified = await verifyNewPasskey(relyingParty, given);
    expect(verified?.passkey.credentialId).toBe(given.id);
  },
);

test.each([
  ['no CBOR', 'AAAA'],
  ['cut off', attestedObject.slice(0, 100)],
  ['a list nested four thousand deep', Buffer.alloc(4000, 0x81).toString('base64url')],
])('an attestation that is %s is refused', async (_what, attestationObject) => {
  const authenticator = new SoftwareAuthenticator();
  const options = { rp: { id: relyingParty.host }, challenge: 'AAAA' };
  const given = authenticator.create({ options, origin: relyingParty.origin });
  const response = { ...given.response, attestationObject };
  expect(await verifyNewPasskey(relyingParty, { ...given, response })).toBeNull();
});
