import { revokeKeyOfToken } from '../../domain/api-keys/revocation/revoke-key-of-token.ts';
import { done, failed } from '../outcome.ts';
import type { CommandReader } from '../outcome.ts';

/** The digest is read from standard input, so that a token never stands on a command line. */
export const readRevokeLeaked: CommandReader = (args) => {
  // `sha256sum` prints the name of the file after the digest.
  const digest = /^([0-9a-f]{64})(\s+\S+)?$/i.exec(args.join(' ').trim())?.[1];
  if (digest === undefined) {
    return 'revoke-leaked needs the SHA-256 of a token on standard input, as 64 hexadecimal digits.';
  }
  return async (ctx) => {
    const revoked = await revokeKeyOfToken(ctx, Buffer.from(digest, 'hex'));
    if (revoked === null)
      return failed(
        'No key has this token. Its digest must be of the token alone, without a line break after it.',
      );
    const { key, account, wasRevoked } = revoked;
    return done(
      wasRevoked
        ? `The key "${key}" of the account "${account}" was revoked before. Nothing changed.`
        : `Revoked the key "${key}" of the account "${account}". Its owners and admins get an email.`,
    );
  };
};
