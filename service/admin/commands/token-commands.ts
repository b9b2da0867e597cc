import { revokeKeyOfToken } from '../../domain/api-keys/revoke-api-key.ts';
import { newToken } from '../../tokens/token.ts';
import { done, failed, type CommandReader } from '../outcome.ts';

export const readMakeToken: CommandReader = (args) =>
  args.length > 0 ? 'make-token takes no arguments.' : async () => done(newToken());

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
